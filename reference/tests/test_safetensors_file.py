import numpy

from oracle import safetensors_file


def test_what_is_written_is_read_back_by_the_package_and_twice_the_same(tmp_path):
    tensors = {
        "b": numpy.arange(6, dtype=numpy.float32).reshape(2, 3),
        "a": numpy.array([1.5], dtype=numpy.float64),
        "c": numpy.array([-1, 2], dtype=numpy.int32),
    }
    metadata = {"z": "ü", "a": "1"}
    safetensors_file.write(tmp_path / "one", tensors, metadata)
    safetensors_file.write(tmp_path / "two", dict(reversed(tensors.items())), dict(reversed(metadata.items())))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    again, said = safetensors_file.read(tmp_path / "one")
    assert said == metadata
    assert all((again[name] == tensors[name]).all() and again[name].dtype == tensors[name].dtype for name in tensors)
