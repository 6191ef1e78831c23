"""What the tests share: one small model, loaded from disk as every subject is."""

import pytest

from oracle import determinism

determinism.settle()

from oracle.architectures import llama  # noqa: E402
from oracle.synthetic import Synthetic  # noqa: E402


@pytest.fixture(scope="session")
def subject():
    return Synthetic(llama.GROUPS_OF_TWO)


@pytest.fixture(scope="session")
def checkpoint(subject, tmp_path_factory):
    """A folder with the saved checkpoint."""
    folder = tmp_path_factory.mktemp("checkpoint")
    subject.load(folder)
    return folder


@pytest.fixture
def loaded(subject, checkpoint):
    """A fresh load, for a test to spoil."""
    return subject.load(checkpoint)


@pytest.fixture
def model(loaded):
    return loaded.model
