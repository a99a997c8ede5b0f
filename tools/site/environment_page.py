"""The page of an environment, in the order that PettingZoo's pages have, written from the code alone."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from types import ModuleType

import gymnasium

from timeline_env import __version__
from timeline_env.arena.markdown import markdown_table
from timeline_env.engine.batch import Batch
from timeline_env.games import ENVIRONMENTS, environments_of
from timeline_env.wrappers.gymnasium import SingleSeatEnv
from timeline_env.wrappers.gymnasium_vector import SeatVectorEnv
from timeline_env.wrappers.one_game import RENDER_MODES, OneGame
from timeline_env.wrappers.vector import SeatVecEnv

MADE = {"single_seat_env": SingleSeatEnv, "vec_env": SeatVecEnv, "vector_env": SeatVectorEnv, "batch": Batch}
"""Classes whose docstrings describe the arguments that the module's own does not."""


KEEPING_LINES = re.MULTILINE | re.DOTALL


def page(name: str) -> str:
    """The page of a game's environments below its title, in Markdown.

    Raises:
        ValueError: a piece, a reward or an argument has no meaning in the code.
    """
    v0 = environments_of(name)
    sections = {
        "": attributes(v0),
        "Usage": usage(v0),
        "Observation space": observation(v0),
        "Legal actions mask": mask(v0),
        "Action space": actions(v0),
        "Rewards": rewards(v0),
        "Arguments": arguments(v0),
        "Version history": versions(v0),
    }
    return "\n\n".join(f"## {title}\n\n{text}" if title else text for title, text in sections.items())


def module_of(v0: ModuleType) -> str:
    """The module's name as it is imported: ``timeline_v0``."""
    return v0.__name__.rpartition(".")[2]


def gymnasium_id(v0: ModuleType) -> str:
    """The environment's id in Gymnasium's registry."""
    (found,) = [spec.id for spec in gymnasium.registry.values() if spec.entry_point == f"{v0.__name__}:single_seat_env"]
    return found


def pettingzoo_id(v0: ModuleType) -> str:
    """The environment's id in PettingZoo's registry."""
    return f"timeline/{module_of(v0).replace('_v', '-v')}"


def attributes(v0: ModuleType) -> str:
    """The table at the head of the page."""
    game, module = v0.GAME, module_of(v0)
    env = v0.env()
    agent = env.possible_agents[0]
    space = env.observation_space(agent)["observation"]
    players = f"{game.players[0]} to {game.players[-1]} ({game.usual_players})" if len(game.players) > 1 else "2"
    rows = {
        "Import": f"`from timeline_env import {module}`",
        "Creation": f'`{module}.env()`, or after `import timeline_env` `pettingzoo.make("aec", "{pettingzoo_id(v0)}")`',
        "Actions": "Discrete, masked",
        "Parallel API": f"Yes, `{module}.parallel_env()`",
        "Gymnasium API": f'Yes, after `import timeline_env`, `gymnasium.make("{gymnasium_id(v0)}")`, one seat',
        "Manual control": f"Yes, `timeline-env play {game.name}`",
        "Agents": f"`{env.possible_agents}`",
        "Seats": ", ".join(game.seat_names),
        "Number of agents": players,
        "Action shape": f"`{env.action_space(agent).shape}`",
        "Action values": f"`Discrete({env.action_space(agent).n})`",
        "Observation shape": f"`{space.shape}`",
        "Observation values": f"`[{space.low.min():.0f}, {space.high.max():.0f}]`",
        "State shape": f"`{env.state_space.shape}`",
        "State values": f"`[{env.state_space.low.min():.0f}, {env.state_space.high.max():.0f}]`",
        "Rewards": listed(game.rewards),
        "Render modes": listed(RENDER_MODES),
        "Baselines": listed(game.baselines, "`"),
    }
    return table(("", ""), rows.items())


def usage(v0: ModuleType) -> str:
    """Examples of every interface, each by itself."""
    module, game = module_of(v0), v0.GAME
    return f"""PettingZoo's loop, agent by agent:

```python
from timeline_env import {module}

env = {module}.env()
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        action = None
    else:
        action = env.action_space(agent).sample(observation["action_mask"])  # your policy here
    env.step(action)
```

All agents at once, where those that are not to move wait:

```python
from timeline_env import {module}

env = {module}.parallel_env()
observations, infos = env.reset(seed=1)
while env.agents:
    actions = {{agent: env.action_space(agent).sample(observations[agent]["action_mask"]) for agent in env.agents}}
    observations, rewards, terminations, truncations, infos = env.step(actions)
```

One seat, the others played by whom you name:

```python
import gymnasium
import timeline_env

env = gymnasium.make("{gymnasium_id(v0)}", opponents=("{next(iter(game.baselines))}",))
observation, info = env.reset(seed=1)
observation, reward, terminated, truncated, info = env.step(observation["action_mask"].argmax())
```

Many games, without a loop over them:

```python
from timeline_env import {module}

batch = {module}.batch(num_games=16, seed=1)
batch.step(batch.action_mask.argmax(axis=1))
```"""


def observation(v0: ModuleType) -> str:
    """The space and its pieces."""
    game = v0.GAME
    layout = game.layout(game.usual_players)
    pieces = [(f"`{p.name}`", span(p.slice.start, p.slice.stop), shape(p.shape), p.meaning) for p in layout]
    text = f"""A dictionary: `observation`, float32 [{layout.size}], and `action_mask`. The same numbers as int8 are in
`{module_of(v0)}.batch`, and `Layout` cuts pieces out of them by name. All seats are relative: the viewer comes first.

{table(("piece", "numbers", "shape", "meaning"), pieces)}"""
    if len(game.players) > 1:
        sizes = [(players, game.layout(players).size, game.num_actions(players)) for players in game.players]
        text += f"\n\nThe table is for {game.usual_players} players. By the number of players:\n\n"
        text += table(("players", "numbers in an observation", "actions"), sizes)
    return text


def mask(v0: ModuleType) -> str:
    """What the mask is."""
    return f"""`action_mask` is int8 [{v0.GAME.num_actions(v0.GAME.usual_players)}], 1 for each legal action. It is all
zeros for a seat that is not to move. Whoever is asked has two legal actions at least: forced moves are played by the
environment. An illegal action ends the game of `{module_of(v0)}.env()`, with -1 for whoever took it;
`{module_of(v0)}.raw_env()` raises `ValueError` and changes nothing."""


def actions(v0: ModuleType) -> str:
    """The ranges of the action space."""
    game = v0.GAME
    ranges = [(f"`{r.name}`", span(r.start, r.stop), shape(r.shape), r.meaning) for r in game.codec.ranges.values()]
    text = f"`Discrete({game.num_actions(game.usual_players)})`"
    if len(game.players) > 1:
        text += f" with {game.usual_players} players; the table is for {game.players[-1]}, with fewer the actions are its first ones"
    return f"{text}.\n\n{table(('range', 'actions', 'shape', 'meaning'), ranges)}"


def rewards(v0: ModuleType) -> str:
    """The kinds of reward, as the verb's docstring tells them."""
    verb = v0.GAME.verbs["rewards"]
    text = " ".join((inspect.getdoc(getattr(verb, "py_func", verb)) or "").split())
    told = dict(re.findall(r"``(\w+)``: (.*?)(?=[.;] ``|\.$)", text))
    if set(told) != set(v0.GAME.rewards):
        raise ValueError(
            f"the docstring of the verb must tell the rewards {', '.join(v0.GAME.rewards)} of {v0.__name__}"
        )
    rows = [(f'`"{kind}"`', pays) for kind, pays in told.items()]
    return f'''What the last decision earned each seat; `reward="{v0.GAME.rewards[0]}"` unless told:

{table(("`reward`", "pays"), rows)}

When a game is played to its end every agent's info has its `points` and its `rank`, 1 for the best, whatever the reward.'''


def arguments(v0: ModuleType) -> str:
    """Every argument of every function, its default and its meaning."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for function in v0.__all__:
        for name, default in parameters(v0, function):
            rows.setdefault((name, default, meaning(v0, name, function)), []).append(function)
    told = [(f"`{name}`", f"`{default}`", takers(v0, users), means) for (name, default, means), users in rows.items()]
    return f"""A value that is not allowed raises `ValueError` with a line that names it and what is allowed.

{table(("argument", "default", "taken by", "meaning"), told)}"""


def takers(v0: ModuleType, users: list[str]) -> str:
    """Which functions take an argument, in the shorter way."""
    others = [function for function in v0.__all__ if function not in users]
    if len(users) <= len(others):
        return listed(users, "`")
    return f"all but {listed(others, '`')}" if others else "all"


def parameters(v0: ModuleType, function: str) -> Iterator[tuple[str, str]]:
    """The arguments of one of the module's functions with their defaults, as they are written."""
    for parameter in inspect.signature(getattr(v0, function)).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            yield from ((name, "True") for name in v0.GAME.switches)
        else:
            yield parameter.name, getattr(parameter.default, "value", None) or repr(parameter.default)


def meaning(v0: ModuleType, name: str, function: str) -> str:
    """What an argument means, from the docstrings: the module's, the function's, that of what it makes."""
    sources = [v0, getattr(v0, function), *([MADE[function]] if function in MADE else []), OneGame]
    for source in sources:
        text = inspect.getdoc(source) or ""
        found = re.search(rf"^\* ``{name}``: (.*?)[;.]?(?=\n\*|\n\n|\Z)", text, KEEPING_LINES) or re.search(
            rf"^ {{4}}(?:\w+, )*{name}(?:, \w+)*: (.*?)[;.]?(?=\n {{4}}\S|\n\n|\Z)", text, KEEPING_LINES
        )
        if found and not found[1].startswith("see `OneGame`"):
            return " ".join(found[1].replace("``", "`").split())
    raise ValueError(f"argument {name} of {v0.__name__} ({function}) is not told in any docstring")


def versions(v0: ModuleType) -> str:
    """The version of the environment and of its rules."""
    version = module_of(v0).rpartition("_")[2]
    row = (f"`{version}`", v0.GAME.rules_version, __version__)
    return f"""{table(("environment", "version of the rules", "package"), [row])}

The environment's version goes up when old programs would no longer fit, the rules' with every change of rules, actions
or observation that a trained agent would notice; agents and saved games of another version of the rules are refused.
What changed is in the [changelog](/changelog.md)."""


def span(start: int, stop: int) -> str:
    """The numbers from `start` to before `stop`."""
    return str(start) if stop == start + 1 else f"{start}–{stop - 1}"


def shape(numbers: tuple[int, ...]) -> str:
    """A shape in words."""
    return " × ".join(map(str, numbers)) or "1"


def listed(words: Iterable[str], quote: str = '`"') -> str:
    """Words as code, with commas."""
    return ", ".join(f"{quote}{word}{quote[::-1]}" for word in words)


def table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """A Markdown table whose columns all hold words."""
    return "\n".join(markdown_table(head, [[*map(str, cells)] for cells in rows], words=len(head)))


def check_pages(found: Iterable[str]) -> None:
    """Raise ValueError if a game has no page, or a page no game."""
    if set(found) != set(ENVIRONMENTS):
        raise ValueError(f"pages of environments must be {', '.join(ENVIRONMENTS)}; found: {', '.join(found)}")
