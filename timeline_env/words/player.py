"""The player that asks a command for every decision."""

from __future__ import annotations

import json
import shutil
import sys
import time
import weakref
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.failures import PlayerFailed
from timeline_env.files import check_writable
from timeline_env.players.command import Command
from timeline_env.players.interface import Decisions
from timeline_env.reading import cut, label_errors, quote, read_text
from timeline_env.words.log import COUNTED, Log
from timeline_env.words.process import Fault, Process
from timeline_env.words.question import Question

MOST_IN_A_ROW = 5
"""A command has failed after so many decisions in a row without a legal move: going on would be a slow random player."""


class CommandPlayer:
    """Any command that reads prompts and writes moves; where it fails to, a random legal move is played, and counted.

    Args:
        name: the player's name, for messages.
        command: the command, and how it is asked.
        seed: for the random moves.

    Raises:
        ValueError: there is no such command, or one of its files cannot be read or written.
    """

    def __init__(self, name: str, command: Command, seed: int = 0) -> None:
        label = f"player {quote(name)}"
        if shutil.which(program := command.words[0]) is None:
            if Path(program).is_file():
                raise ValueError(f"{label}: command {quote(program)} cannot be executed: chmod +x?")
            raise ValueError(f"{label}: there is no command {quote(program)}")
        self.name, self.command = label, command
        self.log: Log | None = None
        self.rules = read_text(Path(command.rules), f"{label}: --rules {quote(command.rules)}") if command.rules else ""
        log = Path(command.log) if command.log else None
        if log and (log.is_file() or log.is_dir() or not log.exists()):  # a pipe or a device is written to as it is
            with label_errors(label):
                check_writable("--log", log)
        self.rng = np.random.default_rng(seed)
        self.counts: Counter[str] = Counter()
        self.in_a_row = 0
        self.process = Process(command.words)
        weakref.finalize(self, _leave, self.process, self.name, self.counts)

    def __getstate__(self) -> dict[str, Any]:
        """A copy asks a command of its own, which its first question starts, and counts from zero."""
        return self.__dict__ | {"log": None, "counts": Counter(), "process": Process(self.command.words)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        weakref.finalize(self, _leave, self.process, self.name, self.counts)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]. Raises PlayerFailed after `MOST_IN_A_ROW` decisions without one."""
        batch, states = decisions.batch, decisions.states()
        actions = np.empty(len(states), np.int64)
        for row, s in enumerate(states):
            seat, mask = int(decisions.seat[row]), decisions.action_mask[row]
            question = Question.of(batch, s, seat, mask)
            actions[row] = self._decide(question, int(decisions.games[row]))
        return actions

    def _decide(self, question: Question, number: int) -> int:
        """What is played in a decision: the first answer that is a legal move, or a random one."""
        prompt, line = self._write(question, number)  # before the clock runs: the first one compiles what it needs
        until, left = time.monotonic() + self.command.seconds, self.command.retries
        self.counts["decisions"] += 1
        while True:
            began = time.monotonic()
            answer, fault, error, action = "", "", "", -1
            try:
                answer = self.process.ask(line.encode(), until)
                action = question.read(answer)
            except ValueError as wrong:
                fault, error = "malformed", str(wrong)
                if isinstance(wrong, Fault):
                    fault, answer = wrong.kind, wrong.answer
                self.counts[fault] += 1
            given_up = bool(error) and (left == 0 or time.monotonic() >= until)
            if given_up:
                action = int(self.rng.choice(question.actions))
            self._note(question, number, prompt, answer, fault, error, action, given_up, time.monotonic() - began)
            if given_up:
                self._give_up(error)
            if action >= 0:
                self.in_a_row = self.in_a_row + 1 if given_up else 0
                return action
            left -= 1
            prompt, line = self._write(question, number, error)

    def _write(self, question: Question, number: int, error: str = "") -> tuple[str, str]:
        """The prompt, and the line that carries it to the command."""
        prompt = question.prompt(self.command.json, error)
        return prompt, json.dumps(message(question, prompt, error, self.rules, number)) + "\n"

    def _give_up(self, error: str) -> None:
        self.counts["random"] += 1
        if self.in_a_row + 1 >= MOST_IN_A_ROW:
            raise PlayerFailed(
                f"{self.name} gave no legal move in {MOST_IN_A_ROW} decisions, one after the other; the last: {cut(error)}"
            )
        if self.counts["random"] == 1:
            print(f"note: {self.name}: {cut(error)}; a random legal move is played in its place", file=sys.stderr)

    def _note(
        self, question: Question, number: int, prompt: str, answer: str, fault: str, error: str, action: int,
        random: bool, seconds: float,
    ) -> None:  # fmt: skip
        if not self.command.log:
            return
        self.log = self.log or Log(Path(self.command.log))
        played = question.game.notation.action_to_text(question.rules, question.s, action) if action >= 0 else None
        self.log.add(
            {
                "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "game": number,
                "seat": question.game.seat_names[question.seat],
                "prompt": prompt,
                "answer": answer,
                "fault": fault,
                "error": error,
                "played": played,
                "random": random,
                "seconds": round(seconds, 3),
            }
        )


def message(question: Question, prompt: str, error: str = "", rules: str = "", number: int = 0) -> dict[str, object]:
    """What is sent to a command, to be written as JSON; `number` tells the games apart that it plays side by side."""
    return {
        "game": question.game.name,
        "number": number,
        "num_players": int(question.rules[0].num_players),
        "variant": question.variant,
        "seat": question.game.seat_names[question.seat],
        "position": question.position,
        "moves": question.moves,
        "error": error,
        "rules": rules,
        "prompt": prompt,
    }


def _leave(process: Process, name: str, counts: Counter[str]) -> None:
    """When the player is gone, end the command and say what went wrong."""
    process.end()
    if sum(counts.values()) > counts["decisions"]:
        told = ", ".join(f"{counts[key]:,} {key}" for key in COUNTED)
        print(f"note: {name}: {told}", file=sys.stderr)
