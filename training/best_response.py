"""A best response: an agent trained against copies of one frozen player, to find out how much it can be beaten by."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from timeline_env.engine.verbs import Game
from training import metrics
from training.config import Config, checked, load_config
from training.run_folder import RunFolder, open_run
from training.train import start, train

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
PACE_UPDATES = 6
"""Updates that the pace is measured in."""


def configured(player: str, game: Game, config: Path | None, **settings: Any) -> Config:
    """How the challenger of `player` is trained.

    Args:
        player: a name as `load_player` takes it.
        game: which game.
        config: a file of training settings; None for the quick ones of the game, if it has some, else the defaults.
        settings: keys that are given anyhow, such as `seed`; None leaves a key as it is.
    """
    quick = CONFIGS / f"{game.name}_quick.yaml"
    file = config or (quick if quick.exists() else None)
    content = load_config(file).model_dump(exclude_unset=True) if file else {}
    fixed = {"game": game.name, "opponents": {player: 1.0}, "evaluation": {"against": [player]}}
    return checked(content | fixed | {key: value for key, value in settings.items() if value is not None})


def pace(config: Config) -> float:
    """Decisions of the learner a second on this machine, as it is used now."""
    steps = PACE_UPDATES * config.envs * config.ppo.n_steps
    with tempfile.TemporaryDirectory() as folder:
        run = start(config.model_copy(update={"steps": steps}), Path(folder) / "pace", [])
        train(run)
        _, _, first, *_, last = metrics.read(run.metrics)  # the first ones take longer
    return (last.steps - first.steps) / max(last.seconds - first.seconds, 0.1)


def begun(config: Config, minutes: float, path: Path, command: list[str]) -> RunFolder:
    """The run at `path`, which has the steps it was begun with; or a new one, of as many steps as this machine takes in `minutes`.

    Raises:
        ValueError: the folder holds something else.
    """
    if not path.exists():
        steps = max(round(60 * minutes * pace(config)), 1)
        return start(config.model_copy(update={"steps": steps}), path, command)
    run = open_run(path, command)
    changed = [key for key, value in run.config if key != "steps" and value != getattr(config, key)]
    if changed:
        raise ValueError(f"{str(path)!r} holds another run: {', '.join(changed)} differ; give another folder")
    return run
