"""Configurations: what is read, what is refused and how, what the documentation says of them."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest
from pydantic import BaseModel

from timeline_env.engine.setting import Setting
from timeline_env.timeline import GAME
from training.config import Config, change, load_config, parse_config

ROOT = Path(__file__).resolve().parents[2]


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "some.yaml"
    path.write_text(text)
    return path


def keys(model: type[BaseModel], prefix: str = "") -> dict[str, str]:
    """Every dotted key of the configuration with its default as the documentation writes it."""
    found = {}
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            found |= keys(field.annotation, f"{prefix}{name}.")
        else:
            default = "null" if field.default is None else str(field.default).replace("'", "")
            found[prefix + name] = f"| `{default}` | {field.description} |"
    return found


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.yaml")), ids=lambda path: path.stem)
def test_the_configurations_that_come_along_are_valid(path: Path) -> None:
    config = load_config(path)
    assert config.game.startswith(path.stem.partition("_")[0])
    assert parse_config(config.model_dump()) == config


def test_overrides_change_dotted_keys_and_are_read_as_yaml(tmp_path: Path) -> None:
    path = written(tmp_path, "steps: 1000\nppo: {gamma: 0.9}\n")
    config = load_config(path, ["steps=2_000", "ppo.gamma=0.5", "network.hidden=[8, 8]", "opponents={greedy: 2}"])
    assert (config.steps, config.ppo.gamma, config.network.hidden) == (2000, 0.5, [8, 8])
    assert config.opponents == {"greedy": 2}
    assert load_config(path, ["ppo.learning_rate=3e-4"]).ppo.learning_rate == 3e-4
    assert load_config(path).ppo.gamma == 0.9


def test_a_run_keeps_the_numbers_of_its_rules_not_the_name_of_their_file(tmp_path: Path) -> None:
    (tmp_path / "variant.toml").write_text('cards = "few.csv"\n[player]\nincome = 12\n')
    table = (ROOT / "timeline_env" / "data" / "timeline" / "cards.csv").read_text().splitlines(keepends=True)
    (tmp_path / "few.csv").write_text("".join(table[:3]))
    config = load_config(written(tmp_path, f"rules: {tmp_path / 'variant.toml'}"))
    (tmp_path / "variant.toml").unlink()
    kept = {"cards": str(tmp_path / "few.csv"), "cards_sha256": sha256((tmp_path / "few.csv").read_bytes()).hexdigest()}
    assert config.rules == kept | {"player": {"income": 12}}
    assert config.registered_game.load_rules(4, config.rules)[0].income == 12


def test_a_table_of_cards_is_known_from_any_folder_and_another_one_in_its_place_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = (ROOT / "timeline_env" / "data" / "timeline" / "cards.csv").read_text().splitlines(keepends=True)
    (tmp_path / "few.csv").write_text("".join(table[:4]))
    file = tmp_path / "with_cards.toml"
    file.write_text('cards = "few.csv"')
    path = written(tmp_path, "num_players: 2")
    monkeypatch.chdir(tmp_path)
    config = load_config(path, ["rules.cards=few.csv"])
    monkeypatch.chdir("/")
    assert Setting(GAME, 2, config.rules).rules.tobytes() == Setting(GAME, 2, str(file)).rules.tobytes()
    (tmp_path / "few.csv").write_text("".join(table[:3]))
    for read in (lambda: parse_config(config.model_dump()), lambda: Setting(GAME, 2, config.rules)):
        with pytest.raises(
            ValueError, match=r"few.csv': the file does not have the cards_sha256 .*: it is another table"
        ):
            read()
    (tmp_path / "other.csv").write_text("".join(table[:5]))
    other = change(config, [f"rules.cards={tmp_path / 'other.csv'}"])
    assert other.rules["cards_sha256"] == sha256((tmp_path / "other.csv").read_bytes()).hexdigest()
    assert change(load_config(path, ["rules={}"]), ["rules.player.income=12"]).rules == {"player": {"income": 12}}
    with pytest.raises(ValueError, match="no such file"):
        load_config(path, [f"rules.cards={'x' * 5000}"])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("evaluation.games=10_000_000_000", "evaluation: games 10000000000 must be at most"),
        ("pool.power=2000", "pool.power"),
        ("learner=ppo average=1e30", "average"),
        ("minutes=1e308", "minutes"),
        ("common=yes_please", "common"),
    ],
)
def test_numbers_that_no_run_could_end_with_are_refused_before_it(more: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said):
        load_config(written(tmp_path, "num_players: 2"), more.split())


def test_what_is_typed_must_have_an_effect_but_a_file_may_wait(tmp_path: Path) -> None:
    path = written(tmp_path, "{prior: planner, prior_scale: 2.0, pool: {every: 5}}")
    assert load_config(path, ["prior=null"]).prior_scale == 2
    assert load_config(path, ["prior_scale=3", "opponents={pool: 1}", "pool.every=7"]).pool.every == 7


def test_what_only_ppo_can_is_allowed_with_ppo(tmp_path: Path) -> None:
    config = load_config(
        written(tmp_path, "{learner: ppo, opponents: {self: 1}, device: cuda, ppo: {batch_size: 1000}}")
    )
    assert config.device == "cuda" and config.ppo.batch_size == 1000


def test_the_first_reward_is_paid_for_its_share_of_the_run(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, "{reward: rank, first_reward: lead, first_share: 0.6}"))
    assert [config.now(done).reward for done in (0, 0.59, 0.6, 1.01)] == ["lead", "lead", "rank", "rank"]
    assert load_config(written(tmp_path, "reward: score")).now(0).reward == "score"


def test_rates_entropy_and_the_priors_scale_fall_in_a_line(tmp_path: Path) -> None:
    text = """{learner: ppo, prior: greedy, prior_scale: 4, final_prior_scale: 1,
        ppo: {learning_rate: 0.3, final_learning_rate: 0.1, ent_coef: 0.02, final_ent_coef: 0.01}}"""
    config = load_config(written(tmp_path, text))
    for done, wanted in (
        (0, (0.3, 0.02, 4)),
        (0.475, (0.205, 0.01525, 2.5)),
        (1, (0.1, 0.01, 1)),
        (1.2, (0.1, 0.01, 1)),
    ):
        now = config.now(done)
        assert (now.rate, now.entropy, now.prior_scale) == pytest.approx(wanted)
    steady = load_config(written(tmp_path, "{prior: greedy, prior_scale: 4, ppo: {ent_coef: 0.02}}")).now(0.7)
    assert (steady.entropy, steady.prior_scale) == (0.02, 4)
    assert load_config(written(tmp_path, "prior: null")).now(0).prior_scale == 0


def test_a_number_of_players_may_be_a_number(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, "rules: {rounds: {4: [1, 1, 1, 1, 1]}}"))
    assert config.registered_game.load_rules(4, config.rules)[0].rounds.tolist() == [1] * 5


def test_a_section_that_is_typed_changes_its_keys_alone(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("ppo: {gamma: 0.9, n_steps: 32}")
    config = load_config(path, ["ppo={n_steps: 16, gae_lambda: 0.8}", "network={hidden: [8]}"])
    assert (config.ppo.gamma, config.ppo.n_steps, config.ppo.gae_lambda) == (0.9, 16, 0.8)
    assert config.network.hidden == [8]


@pytest.mark.parametrize(
    ("text", "overrides", "message"),
    [
        ("stepz: 1", [], "key 'stepz' is unknown (did you mean 'steps'?); allowed: learner, game"),
        (
            "ppo: {gama: 1}",
            [],
            "key 'ppo.gama' is unknown (did you mean 'ppo.gamma'?); allowed: ppo.n_steps, ppo.batch_size",
        ),
        ("", ["ppo.gama=1"], "key 'ppo.gama' is unknown"),
        ("", ["gamma"], "override 'gamma' must be key=value"),
        ("", ["prior_scale=2"], "override 'prior_scale=2' has no effect without the key prior"),
        ("", ["first_share=0.2"], "override 'first_share=0.2' has no effect without the key first_reward"),
        ("", ["network.channels=8"], "override 'network.channels=8' has no effect without network.kind=graph"),
        ("", ["pool.every=5"], "override 'pool.every=5' has no effect without an opponent pool"),
        ("", ["pool={every: 5}"], "override 'pool={every: 5}' has no effect without an opponent pool"),
        ("", ["ppo={gama: 1}"], "key 'ppo.gama' is unknown"),
        ("", ["ppo={}"], "override 'ppo={}' has no effect: it names none of the section's keys"),
        ("", ["steps=[1"], "override 'steps=[1'"),
        ("steps: 5", ["steps.more=1"], "'steps' has no keys"),
        ("- 1", [], "must hold keys and values"),
        ("a: [", [], "config "),
        ("steps: many", [], "steps 'many'"),
        ("num_players: 3.0", [], "num_players 3.0: input should be a valid integer"),
        ("network: {hidden: [8.0]}", [], "network.hidden.0 8.0: input should be a valid integer"),
        ("steps: 0", [], "steps 0: input should be greater than or equal to 1"),
        ("steps: 1_000_000_000_000_001", [], "steps 1000000000000001: input should be less than or equal to"),
        ("ppo: {gamma: 2}", [], "ppo.gamma 2"),
        ("ppo: {learning_rate: .nan}", [], "ppo.learning_rate nan"),
        ("ppo: 3", [], "ppo 3"),
        ("num_players: 7", [], "num_players 7"),
        ("game: chess", [], "game 'chess' is unknown; allowed: timeline"),
        ("reward: fame", [], "reward 'fame' is unknown; allowed: rank, score, win, lead"),
        ("first_reward: fame", [], "first_reward 'fame' is unknown; allowed: rank, score, win, lead"),
        ("first_share: 2", [], "first_share 2: input should be less than or equal to 1"),
        ("learner: sarsa", [], "learner 'sarsa' is unknown; allowed: ppo, maskable_ppo, rllib"),
        (
            "prior: random",
            [],
            "prior 'random' must be a player of timeline that values actions: greedy, projector, planner",
        ),
        ("prior_scale: 0", [], "prior_scale 0: input should be greater than 0"),
        ("device: tpu", [], "device 'tpu' is unknown (did you mean 'cpu'?); allowed: cpu, cuda"),
        ("device: cuda", [], "device 'cuda' must be cpu with learner maskable_ppo; allowed: ppo"),
        ("{device: cuda, learner: ppo, common: true}", [], "device 'cuda' must be cpu with common true"),
        (
            "{device: cuda, learner: ppo}",
            [],
            "device 'cuda' must be cpu with the opponent 'random'; allowed: self, pool",
        ),
        (
            "ppo: {mixed_precision: true}",
            [],
            "ppo.mixed_precision True must be left out with learner maskable_ppo; allowed: ppo",
        ),
        ("{learner: rllib, ppo: {batch_size: 1000}}", [], "ppo.batch_size 1000 must divide"),
        ("rules: none.toml", [], "none.toml"),
        ("rules: 5", [], "rules 5 must be a file, a dict of numbers, or None"),
        (
            "rules: {player: {incom: 3}}",
            [],
            "key of the rules 'player.incom' is unknown (did you mean 'player.income'?)",
        ),
        ("network: {pieces: [clok]}", [], "clok"),
        ("network: {pieces: [clock, near, clock]}", [], "pieces ['clock', 'near', 'clock']: each must be named once"),
        ("network: {hidden: [0]}", [], "network.hidden [0]"),
        ("network: {activation: sine}", [], "network.activation 'sine'"),
        ("ppo: {batch_size: 1000}", [], "ppo.batch_size 1000 must divide"),
        ("opponents: {}", [], "opponents is empty"),
        ("opponents: {random: -1}", [], "weight -1"),
        ("evaluation: {against: []}", [], "evaluation.against is empty"),
        ("evaluation: {games: 3}", [], "evaluation.games 3"),
        ("envs: 1_000_000_000", [], "envs 1000000000 and ppo.n_steps 64 need "),
        ("network: {hidden: [1_000_000_000]}", [], "network.hidden [1000000000] and network.channels 16 need "),
        ("network: {kind: graph, channels: 1_000_000_000}", [], "and network.channels 1000000000 need "),
        ("network: {convolutions: 1_000_000_000}", [], "network.convolutions 1000000000: input should be less than"),
        ("ppo: {clip_range: 0}", [], "ppo.clip_range 0: input should be greater than 0"),
        ("{learner: ppo, ppo: {kl_coef: 0.1}}", [], "ppo.kl_coef 0.1 needs the key average"),
        ("ppo: {kl_coef: 0.5}", [], "ppo.kl_coef 0.5 must be left out with learner maskable_ppo; allowed: ppo"),
        ("{learner: rllib, average: 1000}", [], "average 1000.0 must be left out with learner rllib; allowed: ppo"),
        ("{learner: ppo, final_prior_scale: 0}", [], "final_prior_scale 0.0 needs the key prior"),
        (
            "{learner: ppo, network: {head: 8, hidden: []}}",
            [],
            "network.head 8 must be 0 with network.hidden []",
        ),
        ("final_prior_scale: 0", [], "final_prior_scale 0.0 must be left out with learner maskable_ppo"),
        (
            "{learner: ppo, network: {head: 8, pieces: [near]}}",
            [],
            "a head for the candidates of 'timeline' must read the piece 'hand'",
        ),
        (
            "{learner: ppo, network: {head: 8, kind: graph}}",
            [],
            "network.head 8 must be 0 with network.kind 'graph'",
        ),
        (
            "{learner: ppo, game: twilight_struggle, num_players: 2, network: {head: 8, pieces: [control]}}",
            [],
            "a head for the candidates of 'twilight_struggle' must read the piece 'own_influence'",
        ),
        (
            "{learner: ppo, game: twilight_struggle, num_players: 2, network: {head: 1_000_000_000}}",
            [],
            "network.head 1000000000 with envs 256 and ppo.batch_size 2048 need ",
        ),
        ("threads: 100_000", [], "threads 100000: input should be less than or equal to 1024"),
        ("game: " + "x" * 10_000, [], "(10,002 characters) is unknown"),
        ("steps: " + "x" * 10_000, [], "(10,002 characters): input should be a valid integer"),
        ("steps: !!bool maybe", [], "some.yaml': a value in it is of another kind than it says"),
        ("", ["steps=" + "[" * 1000], "nested deeper than 50"),
        ("ppo: {learning_rate: on}", [], "ppo.learning_rate True: value error, must be a number"),
        ("opponents: {random: yes}", [], "opponents.random True: value error, must be a number"),
        ("", ["minutes=true"], "minutes True: value error, must be a number"),
        ("prior: ''", [], "prior '': string should have at least 1 character"),
        ("first_reward: ''", [], "first_reward '': string should have at least 1 character"),
        ("ppo: {gamma: 0.9}\nppo: {n_epochs: 1}", [], "some.yaml': 'ppo' in it is given twice"),
    ],
)
def test_what_is_wrong_is_named(text: str, overrides: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        load_config(written(tmp_path, text), overrides)


def test_a_file_alone_cannot_ask_for_code_to_be_run(tmp_path: Path) -> None:
    for text in ("opponents: {'mine:Player': 1}", "evaluation: {against: ['mine:Player']}"):
        path = written(tmp_path, text)
        named = re.escape("player 'mine:Player' is code of a module: name it again, as in train --code mine:Player")
        with pytest.raises(ValueError, match=f"^config '.*some.yaml': {named}$"):
            load_config(path)
        load_config(path, own=["mine:Player"])
        load_config(path, ["opponents={'mine:Player': 2}", "evaluation.against=['mine:Player']"])
    assert load_config(path, ["evaluation.against=[greedy]"]).against == ["greedy"]


def test_what_is_wrong_in_many_places_is_told_in_a_line_that_can_be_read(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="characters") as refusal:
        load_config(written(tmp_path, f"network: {{pieces: {[*range(300)]}}}"))
    assert len(str(refusal.value)) < 1200


def test_the_documentation_lists_every_key_with_its_default_and_no_other() -> None:
    text = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    table = dict(re.findall(r"^\| `([a-z_.]+)` (\| `[^|]*` \| .* \|)$", text, flags=re.MULTILINE))
    assert table == keys(Config)


def test_what_must_fit_into_this_machine_need_not_where_a_gpu_holds_it() -> None:
    much = {"learner": "ppo", "opponents": {"self": 1.0}, "envs": 2**20, "ppo": {"n_steps": 2048}}
    told = r"^envs 1048576 and ppo.n_steps 2048 need [\d,]+ GiB of memory; this machine has \d+$"
    with pytest.raises(ValueError, match=told):
        parse_config(much)
    assert parse_config(much | {"device": "cuda"}).device == "cuda"
