from safetensors.torch import load_file, save_file

from oracle import loading
from oracle.checks import complete


def test_a_whole_checkpoint_passes(loaded):
    assert complete.check(loaded).passed


def test_a_parameter_that_the_checkpoint_lacks_is_named(subject, tmp_path):
    subject.load(tmp_path)
    weights = tmp_path / "checkpoint" / "model.safetensors"
    tensors = load_file(weights)
    del tensors["model.layers.2.self_attn.k_proj.weight"]
    save_file(tensors, weights, metadata={"format": "pt"})
    outcome = complete.check(loading.from_folder(tmp_path / "checkpoint"))
    assert not outcome.passed
    assert outcome.finding == "missing model.layers.2.self_attn.k_proj.weight"
