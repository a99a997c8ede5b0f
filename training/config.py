"""What a run is: every key of a configuration, checked when it is read."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import reduce
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictInt

from timeline_env.arena.deals import SEEDS
from timeline_env.arena.evaluation import deals_for
from timeline_env.configs import FOLDER, find_config
from timeline_env.engine.common import most_players
from timeline_env.engine.setting import Setting
from timeline_env.engine.threads import MOST_THREADS
from timeline_env.engine.variants import DIGEST, changes
from timeline_env.engine.verbs import Game
from timeline_env.games import game_named
from timeline_env.players.agents.graph_reader import Board
from timeline_env.players.agents.outlook import count_foreseen
from timeline_env.players.agents.prior import device_appraisers, load_appraiser
from timeline_env.players.names import refuse_commands, refuse_modules
from timeline_env.players.opponents import mix
from timeline_env.reading import label_errors, quote, read_yaml, unknown_name, validate, yaml_in
from training.limits import MOST_CONVOLUTIONS, check_memory, head_bytes, network_bytes, outlook_bytes, rollout_bytes

SELF, POOL = "self", "pool"
"""The names in `opponents` of the current learner and of its snapshots."""
FADED = 0.95
"""The share of a run after which the prior has its final scale, so that the last agents have learned with it."""


class StrictModel(BaseModel):
    """Unknown keys are errors, and a configuration does not change once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def _refuse_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("must be a number")
    return value


Number = Annotated[float, BeforeValidator(_refuse_bool)]
"""A float; not True or False, of which pydantic would make one, and so not YAML's `on` and `yes` either."""


class NetworkConfig(StrictModel):
    kind: Literal["mlp", "graph"] = Field(
        default="mlp",
        description="`mlp`, or `graph`: before the hidden layers some with the same weights for every node of the board",
    )
    pieces: list[str] | None = Field(
        default=None, description="the observation's pieces that the network reads; `null` for all"
    )
    hidden: list[StrictInt] = Field(
        default=[256, 256], description="widths of the hidden layers, of policy and value alike"
    )
    head: StrictInt = Field(
        default=0,
        ge=0,
        description="`ppo` only: of an `mlp`: width of a layer with the same weights for every country or card in hand, which adds to the logits of the actions that name it; 0 for none",
    )
    outlook: StrictInt = Field(
        default=0,
        ge=0,
        description="`ppo` only: width of a layer, the same for every action, that corrects an action's logit by what the `prior` foresees of it; 0 for none. Policy and value then also read what the prior foresees of the position",
    )
    activation: Literal["tanh", "relu"] = Field(default="relu", description="between the layers: `tanh` or `relu`")
    channels: StrictInt = Field(default=16, ge=1, description="of a `graph`: numbers that each node holds")
    convolutions: StrictInt = Field(
        default=2,
        ge=0,
        le=MOST_CONVOLUTIONS,
        description="of a `graph`: how often a node takes in what its neighbours hold",
    )


class PPOConfig(StrictModel):
    n_steps: StrictInt = Field(
        default=64,
        ge=2,
        description="decisions in each game between two updates: the learner's own with `maskable_ppo`, those of all seats with `ppo`, those of all networks with `rllib`",
    )
    batch_size: StrictInt = Field(
        default=2048,
        ge=2,
        description="decisions in a minibatch; divides `envs` × `n_steps`, unless the learner is `ppo`",
    )
    n_epochs: StrictInt = Field(default=3, ge=1, description="passes over the decisions of an update")
    learning_rate: Number = Field(default=1e-3, gt=0, description="Adam's step at the beginning")
    final_learning_rate: Number = Field(default=1e-4, ge=0, description="and at the end; linear between")
    gamma: Number = Field(default=0.99, gt=0, le=1, description="discount of a reward one decision later")
    gae_lambda: Number = Field(default=0.95, ge=0, le=1, description="how far advantages look past the value estimate")
    clip_range: Number = Field(default=0.2, gt=0, description="how far an update may move a decision's probability")
    ent_coef: Number = Field(default=0.01, ge=0, description="weight of the entropy bonus at the beginning")
    final_ent_coef: Number | None = Field(
        default=None, ge=0, description="`ppo` only: and at the end; linear between; `null` for the same"
    )
    kl_coef: Number = Field(
        default=0.0,
        ge=0,
        description="`ppo` only: weight of the divergence from the mean of its own weights, see `average`",
    )
    vf_coef: Number = Field(default=0.5, ge=0, description="weight of the value loss")
    max_grad_norm: Number = Field(default=0.5, gt=0, description="longer gradients are shortened to this")
    ahead: StrictBool = Field(
        default=False,
        description="`ppo` only: whether the next decisions are played on a second core while these are learned from, by the policy from before; with `self` alone, on the CPU",
    )
    mixed_precision: StrictBool = Field(
        default=False,
        description="`ppo` only: whether the network computes in bfloat16, with weights in float32: faster on a GPU, and on a processor with AMX",
    )

    def rate(self, done: float) -> float:
        """The learning rate when this share of the run is done, from 0 to 1 or a little more: the last update may go beyond."""
        return linear(self.learning_rate, self.final_learning_rate, done)

    def entropy(self, done: float) -> float:
        """The weight of the entropy bonus when this share of the run is done."""
        return linear(self.ent_coef, self.final_ent_coef, done)


def linear(first: float, last: float | None, done: float) -> float:
    """The number between `first` and `last` when this share of the way is done; always `first` if `last` is None."""
    return first if last is None else max(0.0, first + min(done, 1.0) * (last - first))


class PoolConfig(StrictModel):
    size: StrictInt = Field(
        default=16,
        ge=1,
        description="snapshots that are kept; beyond it the one that the learner beats most often is dropped",
    )
    every: StrictInt = Field(default=200_000, ge=1, description="decisions of the learner between two snapshots")
    power: Number = Field(
        default=2.0, ge=0, le=100, description="snapshots are drawn by (how often they beat the learner) to this power"
    )


class EvaluationConfig(StrictModel):
    against: list[str] | None = Field(
        default=None, description="at the end, a table against each of these; `null` for every baseline of the game"
    )
    games: StrictInt = Field(default=2000, ge=12, description="games in each of those tables")


class Config(StrictModel):
    learner: Literal["ppo", "maskable_ppo", "rllib"] = Field(
        default="maskable_ppo",
        description="who learns: `ppo` (`training/learners/ppo.py`), `maskable_ppo` (sb3-contrib) or `rllib` (Ray)",
    )
    game: str = Field(default="timeline", description="which game")
    num_players: StrictInt = Field(default=4, description="seats of each game")
    rules: Any = Field(
        default=None, description="a variant: a TOML file, or the keys that differ; `null` for the game as it is"
    )
    reward: str = Field(
        default="rank", description="what the learner is paid: `rank`, `score`, `win`, or `lead` (Timeline)"
    )
    first_reward: str | None = Field(
        default=None,
        min_length=1,
        description="what it is paid at first, one that says more about a decision; `null` for no other",
    )
    first_share: Number = Field(default=0.5, ge=0, le=1, description="of the run that is paid by `first_reward`")
    prior: str | None = Field(
        default=None,
        min_length=1,
        description="a scripted player that says what actions are worth, for the network to correct; `null` for none",
    )
    prior_scale: Number = Field(
        default=4.0, gt=0, description="logits that a unit of those values is, at the beginning"
    )
    final_prior_scale: Number | None = Field(
        default=None,
        ge=0,
        description="`ppo` only: `prior_scale` moves to this value, linearly, and keeps it for the last 5 % of the run; `null` leaves it as it is, with 0 the network ends without the prior. It moves once an update, so a run needs at least twenty updates (forty with `ppo.ahead`) to get there",
    )
    average: Number | None = Field(
        default=None,
        gt=0,
        le=1e12,
        description="`ppo` only: agents are a mean of the weights so far, in which those of so many decisions ago count half; `null` for the newest weights",
    )
    start: str | None = Field(
        default=None,
        description="the agent that the network begins as: a path or `shipped`; `null` for none. It must have the same layers, prior and form; pieces that it does not read weigh nothing at first",
    )
    common: StrictBool = Field(
        default=False,
        description="`ppo` only: the network takes observations and actions in the form of the most players, so that the agent plays with any number of them and by any variant; `pieces` are those of that form",
    )
    opponents: dict[str, Number] = Field(
        default={"random": 1.0},
        description="players of the other seats, each with its weight; `self` is the learner itself, `pool` its snapshots; also trained agents; a `module:Class` too, if the command line names it: in an override of this key, or once more after `--code`",
    )
    seed: StrictInt = Field(default=0, ge=0, lt=SEEDS, description="of everything that is drawn")
    steps: StrictInt = Field(
        default=1_000_000, ge=1, le=10**15, description="decisions of the learner in all; rounded up to whole updates"
    )
    minutes: Number | None = Field(
        default=None,
        gt=0,
        le=1e7,
        description="the run ends after this many minutes of training, if not by `steps`; `null`: never",
    )
    envs: StrictInt = Field(default=256, ge=1, description="games played side by side")
    checkpoint_every: StrictInt = Field(
        default=250_000, ge=1, description="decisions between two agents that are kept to play with"
    )
    threads: StrictInt = Field(
        default=2,
        ge=1,
        le=MOST_THREADS,
        description="threads of the network's arithmetic; with `ppo` also how many share the games",
    )
    device: Literal["cpu", "cuda"] = Field(
        default="cpu",
        description="`cpu`, or `cuda`: games, network, prior and snapshots on a GPU; for `ppo` against `self` and `pool`",
    )
    network: NetworkConfig = NetworkConfig()
    ppo: PPOConfig = PPOConfig()
    pool: PoolConfig = PoolConfig()
    evaluation: EvaluationConfig = EvaluationConfig()

    @property
    def registered_game(self) -> Game:
        """The game itself."""
        return game_named(self.game)

    @property
    def setting(self) -> Setting:
        """What is played."""
        return Setting(self.registered_game, self.num_players, self.rules)

    def share_done(self, steps: int, seconds: float) -> float:
        """The share of the training that is done after these decisions and seconds, from 0; at its end 1 or a little more."""
        return max(steps / self.steps, min(seconds / (60 * self.minutes), 1.0) if self.minutes else 0.0)

    def now(self, done: float) -> Now:
        """What holds when this share of the training is done."""
        reward = self.first_reward if self.first_reward and done < self.first_share else self.reward
        scale = linear(self.prior_scale, self.final_prior_scale, done / FADED) if self.prior else 0.0
        return Now(self.ppo.rate(done), self.ppo.entropy(done), reward, scale)

    @property
    def is_alone(self) -> bool:
        """Whether the learner sits in every seat."""
        return set(self.opponents) == {SELF}

    @property
    def has_pool(self) -> bool:
        """Whether the learner meets snapshots of itself."""
        return POOL in self.opponents

    @property
    def seats(self) -> int:
        """The number of players whose observations and actions have the form that the network takes."""
        return most_players(self.registered_game) if self.common else self.num_players

    @property
    def pieces(self) -> list[str]:
        """The observation's pieces that the network reads."""
        return self.network.pieces or list(self.registered_game.layout(self.seats).pieces)

    @property
    def foreseen(self) -> int:
        """How many numbers of each action's outlook the network reads; 0 for none."""
        return count_foreseen(self.registered_game, self.prior) if self.network.outlook else 0

    @property
    def against(self) -> list[str]:
        """The players that the agent is measured against at the end."""
        wanted = self.evaluation.against
        return list(self.registered_game.baselines) if wanted is None else wanted


SECTIONS = {
    key: type(field.default) for key, field in Config.model_fields.items() if isinstance(field.default, StrictModel)
}
"""The keys of a configuration that hold keys of their own, and what those are."""


@dataclass(frozen=True)
class Now:
    """What changes in the course of a run.

    Attributes:
        rate: Adam's step.
        entropy: weight of the entropy bonus.
        reward: the kind of reward.
        prior_scale: logits that a unit of the prior's values is; 0 without a prior.
    """

    rate: float
    entropy: float
    reward: str
    prior_scale: float


ONLY_PPO = (
    "network.head", "network.outlook", "ppo.final_ent_coef", "ppo.kl_coef", "ppo.ahead", "ppo.mixed_precision", "average",
    "common", "final_prior_scale",
)  # fmt: skip
"""Keys that only the learner `ppo` knows; with the others they must keep their defaults."""


def _has_graph(config: Config) -> bool:
    return config.network.kind == "graph"


NEEDED: dict[str, tuple[str, Callable[[Config], Any]]] = {
    "first_share": ("the key first_reward", attrgetter("first_reward")),
    "prior_scale": ("the key prior", attrgetter("prior")),
    "network.channels": ("network.kind=graph", _has_graph),
    "network.convolutions": ("network.kind=graph", _has_graph),
    "pool.size": ("an opponent pool", attrgetter("has_pool")),
    "pool.every": ("an opponent pool", attrgetter("has_pool")),
    "pool.power": ("an opponent pool", attrgetter("has_pool")),
}
"""What a key needs to have an effect, for those who type it; in a file it may wait until an override gives what it needs."""


def load_config(path: str | Path, overrides: list[str] | None = None, own: Collection[str] = ()) -> Config:
    """Read a YAML file, or the configuration of that name that comes with the package, and change what ``key=value`` overrides say (dotted keys; values as YAML).

    Args:
        path: of the file, or the name of a shipped configuration.
        overrides: ``key=value`` each.
        own: ``module:Class`` players of the file whose code may be run: a file alone cannot ask for that.

    Raises:
        ValueError: the file or an override is not readable, or a key or value is not allowed, or an override has no effect, or a
            player in the file is code of a module that is neither among `own` nor in an override; one line for each error.
    """
    label = f"config {quote(str(path))}"
    content = read_yaml(find_config(Path(path)), label) or {}
    if not isinstance(content, dict):
        raise ValueError(f"{label} must hold keys and values, not {quote(content)}")
    config, typed = _apply(content, overrides or []), _typed_players(overrides or [])
    for override in overrides or []:
        for key in _read_override(override):
            needed = NEEDED.get(key)
            if needed and not needed[1](config):
                raise ValueError(f"override {quote(override)} has no effect without {needed[0]}")
    refuse_own(config, {*own, *typed}, label)
    return config


def refuse_own(config: Config, own: Collection[str], source: str) -> None:
    """Raise ValueError if a configuration that was read from `source` has a player that is code of a module, and not among `own`."""
    refuse_modules([*config.opponents, *config.against], own, source, "name it again, as in train --code {}")


def check_own(config: Config, own: Collection[str]) -> None:
    """Raise ValueError if a name after ``--code`` is none of the configuration's players, such as a key=value that follows it."""
    players = [*config.opponents, *config.against]
    for name in own:
        if name not in players:
            raise ValueError(
                f"--code {quote(name)} must be a player of the configuration; all that follows --code is taken for such"
            )


def _typed_players(overrides: list[str]) -> set[str]:
    """The players that these overrides name, which are those of a valid configuration."""
    typed: dict[str, Any] = {}
    for override in overrides:
        _override(typed, override)
    return {*(typed.get("opponents") or ()), *((typed.get("evaluation") or {}).get("against") or ())}


def change(config: Config, overrides: list[str]) -> Config:
    """A configuration with what these overrides say, see `load_config`, in the place of its own keys. Raises ValueError likewise."""
    return _apply(config.model_dump(exclude_unset=True), overrides)


def parse_config(content: dict[str, Any]) -> Config:
    """A configuration from its keys. Raises ValueError as `load_config` does."""
    config = validate(Config, content)
    _check(config)
    return config


def unset_keys(model: BaseModel, prefix: str = "") -> list[str]:
    """The dotted keys that a configuration was not given, and which therefore have their defaults."""
    unset: list[str] = []
    for key, value in model:
        if key not in model.model_fields_set:
            unset.append(prefix + key)
        elif isinstance(value, BaseModel):
            unset += unset_keys(value, f"{prefix}{key}.")
    return unset


def usual_settings(game: Game, config: Path | None) -> dict[str, Any]:
    """The keys that a file of training settings gives; for None those of the game's quick settings, if it has some.

    Raises:
        ValueError: the file is not readable, is for another game, or a key or value is not allowed.
    """
    quick = FOLDER / f"{game.name}_quick.yaml"
    file = config or (quick if quick.exists() else None)
    content = load_config(file).model_dump(exclude_unset=True) if file else {}
    if content.get("game", game.name) != game.name:
        raise ValueError(f"config {quote(str(file))} is for {content['game']}; the game is {game.name}")
    return content


def _apply(content: dict[str, Any], overrides: list[str]) -> Config:
    for override in overrides:
        _override(content, override)
    if isinstance(content.get("rules"), str | dict):
        content["rules"] = pin_rules(content["rules"])
    return parse_config(content)


def pin_rules(rules: Any) -> dict[str, Any] | None:
    """The keys of a variant that differ from the game as it is, with the digest of its table of cards: files may change later."""
    return changes(rules) or None


def _read_override(override: str) -> dict[str, Any]:
    """The dotted keys that an override gives, and their values: one key, or some of a section such as ``ppo={gamma: 0.99}``."""
    key, equals, text = override.partition("=")
    if not equals or not key:
        raise ValueError(f"override {quote(override)} must be key=value")
    with label_errors(f"override {quote(override)}"):
        value = yaml_in(text)
    if key not in SECTIONS or not isinstance(value, dict):
        return {key: value}
    if not value:
        raise ValueError(f"override {quote(override)} has no effect: it names none of the section's keys")
    return {f"{key}.{part}": each for part, each in value.items()}


def _override(content: dict[str, Any], override: str) -> None:
    for key, value in _read_override(override).items():
        *path, last = key.split(".")
        section = content
        for part in path:
            if section.get(part) is None:
                section[part] = {}
            section = section[part]
            if not isinstance(section, dict):
                raise ValueError(f"override {quote(override)}: {part!r} has no keys of its own")
        section[last] = value
        if key == "rules.cards":
            section.pop(DIGEST, None)  # of the table that was there before


def _check(config: Config) -> None:
    """Check what cannot be checked key by key."""
    game, update = config.setting.game, config.envs * config.ppo.n_steps
    for key, reward in (("reward", config.reward), ("first_reward", config.first_reward or config.reward)):
        if reward not in game.rewards:
            raise unknown_name(key, reward, game.rewards)
    game.layout(config.seats).columns(config.network.pieces)
    _check_network(config)
    if config.device == "cpu":  # the games of a GPU lie in its own memory, and it reports itself when that is full
        check_memory(
            f"envs {config.envs} and ppo.n_steps {config.ppo.n_steps}",
            rollout_bytes(game, config.seats, config.pieces, config.foreseen, config.envs, config.ppo.n_steps)
            * (1 + config.ppo.ahead),
        )
    usually = Config()
    for key in ONLY_PPO:
        value, usual = (reduce(getattr, key.split("."), whose) for whose in (config, usually))
        if config.learner != "ppo" and value != usual:
            raise ValueError(f"{key} {value!r} must be left out with learner {config.learner}; allowed: ppo")
    if config.ppo.kl_coef and config.average is None:
        raise ValueError(
            f"ppo.kl_coef {config.ppo.kl_coef!r} needs the key average: from what the policy is not to diverge"
        )
    if config.final_prior_scale is not None and not config.prior:
        raise ValueError(f"final_prior_scale {config.final_prior_scale!r} needs the key prior: whose scale it is")
    if config.learner != "ppo" and update % config.ppo.batch_size:
        raise ValueError(
            f"ppo.batch_size {config.ppo.batch_size} must divide envs * ppo.n_steps, which is {update}, "
            f"with learner {config.learner}"
        )
    mix(config.opponents)
    refuse_commands([*config.opponents, *config.against], "a configuration")
    if config.prior:
        load_appraiser(game, config.prior)
    _check_device(config)
    if not config.against:
        raise ValueError("evaluation.against is empty; name at least one player")
    with label_errors("evaluation"):
        deals_for(config.evaluation.games, config.num_players)


def _check_device(config: Config) -> None:
    """Raise ValueError if something that the configuration names cannot run where the games do."""
    if config.ppo.ahead and (config.device != "cpu" or not config.is_alone):
        raise ValueError(
            f"ppo.ahead True must be False with device {config.device} and opponents {', '.join(config.opponents)}; allowed: cpu, {SELF} alone"
        )
    if config.device == "cpu":
        return
    if config.learner != "ppo":
        raise ValueError(f"device 'cuda' must be cpu with learner {config.learner}; allowed: ppo")
    if config.common:
        raise ValueError("device 'cuda' must be cpu with common true; allowed: common false")
    if config.network.outlook:
        raise ValueError(f"device 'cuda' must be cpu with network.outlook {config.network.outlook}; allowed: 0")
    for name in config.opponents:
        if name not in (SELF, POOL):
            raise ValueError(f"device 'cuda' must be cpu with the opponent {quote(name)}; allowed: {SELF}, {POOL}")
    those = device_appraisers(config.registered_game)
    if config.prior and config.prior not in those:
        raise ValueError(f"device 'cuda' must be cpu with prior {quote(config.prior)}; allowed: {', '.join(those)}")


def _check_network(config: Config) -> None:
    """Raise ValueError if the network cannot be built, or this machine cannot hold it."""
    game, network = config.registered_game, config.network
    if network.kind == "graph":
        Board(game, config.seats, config.pieces)
    if network.head:
        if network.kind == "graph":
            raise ValueError(f"network.head {network.head} must be 0 with network.kind 'graph'")
        if not network.hidden:
            raise ValueError(
                f"network.head {network.head} must be 0 with network.hidden []: it reads the last hidden layer"
            )
        hidden, rows = network.hidden[-1], max(config.ppo.batch_size, config.envs)
        needed = head_bytes(game, config.seats, config.pieces, hidden, network.head, rows)
        check_memory(
            f"network.head {network.head} with envs {config.envs} and ppo.batch_size {config.ppo.batch_size}", needed
        )
    if network.outlook:
        try:
            count_foreseen(game, config.prior)
        except ValueError as error:
            raise ValueError(f"network.outlook {network.outlook} must be 0: {error}") from None
        if not network.hidden or config.final_prior_scale == 0:
            raise ValueError(
                f"network.outlook {network.outlook} must be 0 with network.hidden [] or final_prior_scale 0: it reads the last "
                "hidden layer and the prior"
            )
        rows = max(config.ppo.batch_size, config.envs)
        read = config.foreseen + len(game.codec.ranges)
        needed = outlook_bytes(read, network.hidden[-1], network.outlook, rows * game.num_actions(config.seats))
        check_memory(
            f"network.outlook {network.outlook} with envs {config.envs} and ppo.batch_size {config.ppo.batch_size}",
            needed,
        )
    if any(width < 1 for width in network.hidden):
        raise ValueError(f"network.hidden {quote(network.hidden)}: every width must be at least 1")
    sizes = (network.kind, network.channels, network.convolutions, network.hidden)
    check_memory(
        f"network.hidden {quote(network.hidden)} and network.channels {network.channels}",
        network_bytes(game, config.seats, config.pieces, *sizes),
    )
