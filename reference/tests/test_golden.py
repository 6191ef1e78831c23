import pytest

from oracle import golden
from oracle.failure import Failure
from oracle.subject import Loaded


def test_a_reference_that_fails_its_own_check_writes_nothing(subject, tmp_path, monkeypatch):
    sound = type(subject).load

    def spoilt(self, folder) -> Loaded:
        loaded = sound(self, folder)
        loaded.model.model.rotary_emb.inv_freq.fill_(1e-41)
        return loaded

    monkeypatch.setattr(type(subject), "load", spoilt)
    with pytest.raises(Failure, match="failed its own check.*filled.*rotary"):
        golden.build(subject, tmp_path)
