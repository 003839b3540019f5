"""What all tests share: hypothesis profiles, and the folder of shared facts."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile(
    "ci", max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=SLOW
)
settings.register_profile(
    "deep",
    max_examples=int(os.environ.get("CHUNKWISE_EXAMPLES", "1500")),
    deadline=None,
    suppress_health_check=SLOW,
)
# CHUNKWISE_HYPOTHESIS=deep looks longer, and elsewhere each time.
settings.load_profile(os.environ.get("CHUNKWISE_HYPOTHESIS", "ci"))

# A shell that starts the tests in the background has them ignore interrupts, and what they start would too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SHARED = Path(os.environ.get("CHUNKWISE_SHARED", Path(__file__).parents[2] / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared facts: cases, corpora, reference figures."""
    if not SHARED.is_dir():
        pytest.skip(f"no shared facts at {SHARED}; CHUNKWISE_SHARED names another folder")
    return SHARED
