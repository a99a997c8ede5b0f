"""Work on a Ray cluster: an existing one, or one started on this machine alone."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from timeline_env.arena.processes import workers_environment
from timeline_env.extras import require
from timeline_env.players.names import HERE
from timeline_env.reading import flatten

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Join the Ray cluster at this address, or start one on this machine; its processes find this code at the same path.

    Raises:
        MissingExtra: Ray is not installed.
        ValueError: there is no such cluster.
        OSError: Ray does not start on this machine.
    """
    ray = require("ray", "rllib")
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    told = {"PYTHONPATH": path, HERE: os.getcwd(), "TIMELINE_ENV_QUIET": "1"}
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)  # it greets every run with warnings about itself
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # else Ray sends usage statistics
    try:
        ray.init(
            address=address or "local",
            include_dashboard=False,
            log_to_driver=False,
            logging_level="ERROR",
            runtime_env={"env_vars": told},
        )
    except Exception as error:  # also a bare Exception, as when a node takes long to start
        if address is None:
            raise OSError(f"Ray did not start on this machine: {flatten(error)}") from None
        raise ValueError(f"no Ray cluster at {address!r}: {flatten(error)}") from None
    try:
        yield
    finally:
        ray.shutdown()


def run_on_cluster(
    work: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], address: str, take: Callable[[Any], None]
) -> None:
    """Call ``work(*task)`` for every task on a cluster, each on a CPU of its own; what a lost node did is done again.

    Args:
        work: a function at the top level of a module, which every node finds at the same path.
        tasks: the arguments of each call.
        address: the cluster's, ``HOST:PORT``, or ``auto`` for the one that this machine belongs to.
        take: called in this process with what each call of `work` returned, as soon as it has.

    Raises:
        ValueError: there is no cluster at this address.
        OSError: a worker was lost, and so were those that Ray put in its place.
        MissingExtra: Ray is not installed.
    """
    ray = require("ray", "rllib")
    with cluster(address):
        remote = ray.remote(num_cpus=1, runtime_env={"env_vars": workers_environment()})(work)
        waiting = [remote.remote(*task) for task in tasks]
        while waiting:
            done, waiting = ray.wait(waiting)
            try:
                take(ray.get(done[0]))
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
            except ray.exceptions.RayError as error:
                raise OSError(
                    f"a worker of the cluster was lost ({flatten(error)}); the same command resumes"
                ) from None
