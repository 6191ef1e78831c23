//! Model files: the catalogue, the header of a GGUF, the built-in tiny model.
