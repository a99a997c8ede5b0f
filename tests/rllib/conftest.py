"""One Ray for all tests that need no nodes of their own: to start one takes as long as most of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ray.cluster_utils import Cluster


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where a Ray cluster of this machine, with two CPUs, can be joined."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    yield made.address
    made.shutdown()
