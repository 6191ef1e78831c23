#!/usr/bin/env python3
"""A worker for `runner` with a toy engine: a small recurrent network over bytes. See docs/protocol.md.
A token is a byte, 0 opens a text, and the weights are noise made from the bytes of the model file."""
import hashlib, json, math, operator, os, pathlib, queue, sys, threading, time

WIDTH, VOCABULARY, SETTINGS = 16, 256, {"context_tokens": 2048}
OFFERED = ["hello", "load", "tokenize", "begin", "decode", "prefill", "shutdown"]
ENGINE = {"name": "toy", "version": "1", "source_blake3": "unknown", "flags": {}, "instruction_set": [],
          "source": {"unpinned": {"form": "source", "commit": None, "dirty": None}},
          "compiler": f"Python {sys.version.split()[0]}", "backends": ["python"], "threading": "none",
          "supported_settings": list(SETTINGS)}

class Problem(Exception): pass  # kind and message of the answer

def dot(a, b): return sum(map(operator.mul, a, b))

class Worker:  # a method for each message that is offered; its arguments are the message's content
    allowed, chosen = ["hello", "shutdown"], None
    def hello(self, protocol_version):
        if protocol_version != 1:
            raise Problem("protocol", "this worker speaks version 1 of the protocol")
        self.allowed = ["hello", "load", "shutdown"]
        return {"greeting": {"protocol_version": 1, "worker": "worker.py 1", "engine": ENGINE}}
    def load(self, model_path, settings):
        if settings.keys() - SETTINGS:
            raise Problem("unsupported", f"of {list(settings)}, only {list(SETTINGS)} are heeded here")
        rows, seed = 2 * VOCABULARY + WIDTH, hashlib.shake_256(pathlib.Path(model_path).read_bytes())
        noise = seed.digest(rows * WIDTH)
        weights = [[byte / 128 - 1 for byte in noise[row * WIDTH:][:WIDTH]] for row in range(rows)]
        self.embedding, self.output = weights[:VOCABULARY], weights[VOCABULARY:2 * VOCABULARY]
        self.recurrent, self.cache, self.allowed = weights[2 * VOCABULARY:], [], OFFERED
        self.settings = SETTINGS | settings
        model = {"architecture": "toy", "description": "a recurrent network over bytes", "layers": 1,
                 "vocabulary": VOCABULARY, "parameters": rows * WIDTH, "tensor_bytes": 8 * rows * WIDTH,
                 "tensor_types": [], "trained_context_tokens": SETTINGS["context_tokens"]}
        buffers = [{"device": "python", "kind": "weights", "bytes": 8 * rows * WIDTH}]
        return {"loaded": {"model": model, "effective": self.settings, "buffers": buffers, "backends": ["python"]}}
    def tokenize(self, text): return {"tokens": [0, *text.encode()]}
    def extend(self, kept, tokens):  # keeps the start of the sequence and evaluates tokens; their time
        if kept + len(tokens) > self.settings["context_tokens"]:
            raise Problem("context", f"{kept + len(tokens)} tokens do not fit the context")
        del self.cache[kept:]
        total = 0
        for token in tokens:
            start = time.monotonic_ns()
            before = self.cache[-1][1] if self.cache else [0.0] * WIDTH
            state = [math.tanh(x + dot(row, before)) for x, row in zip(self.embedding[token], self.recurrent)]
            logits = [dot(row, state) for row in self.output]
            total += time.monotonic_ns() - start
            self.cache.append((token, state))
            self.chosen = logits.index(max(logits))  # greedy, the lowest id on a tie; outside of the timer
        return total
    def front(self, depth, tokens):  # a depth that stands there already is kept; the time of the tokens
        kept = len(depth) if [token for token, _ in self.cache[:len(depth)]] == depth else 0
        self.extend(kept, depth[kept:])
        return self.extend(len(depth), tokens)
    def begin(self, depth, prompt):
        took = self.front(depth, prompt)
        return {"begun": {"prompt_tokens": len(prompt), "nanoseconds": took, "position": len(self.cache)}}
    def prefill(self, depth, tokens):
        took = self.front(depth, tokens)
        del self.cache[len(depth):]
        return {"prefilled": {"timed_tokens": len(tokens), "nanoseconds": took, "chosen": self.chosen}}
    def decode(self, untimed_tokens, timed_tokens, feed):
        if self.chosen is None:
            raise Problem("protocol", "there is no text to go on with: `begin` comes first")
        chosen, times, count = [], [], untimed_tokens + timed_tokens
        self.extend(len(self.cache) + count, [])  # does it fit?
        for place in range(count):
            token = self.chosen if feed == "free" else feed["fed"][place]
            times.append(self.extend(len(self.cache), [token]))
            chosen.append(self.chosen)
        return {"decoded": {"timed_tokens": timed_tokens, "nanoseconds": sum(times[untimed_tokens:]),
                            "chosen": chosen, "position": len(self.cache)}}

def read():  # in a thread of its own: when the input closes, nobody is left to compute for
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(10)

answers, lines, worker, reply = os.fdopen(os.dup(1), "w"), queue.Queue(), Worker(), None
os.dup2(2, 1)  # what is printed goes to standard error
threading.Thread(target=read, daemon=True).start()
while reply != "ending":
    number = 0
    try:
        request = json.loads(lines.get())
        number, command = request["id"], request["command"]
        (name, content), = [(command, {})] if isinstance(command, str) else command.items()
        if name not in worker.allowed:
            kind = "protocol" if name in OFFERED else "unsupported"
            raise Problem(kind, f"`{name}` is not offered, or comes too early")
        reply = "ending" if name == "shutdown" else getattr(worker, name)(**content)
    except Exception as error:
        kind = "model" if isinstance(error, OSError) else "protocol"
        kind, message = error.args if isinstance(error, Problem) else (kind, repr(error))
        reply = {"problem": {"kind": kind, "message": message}}
    print(json.dumps({"id": number, "reply": reply}), file=answers, flush=True)
os._exit(0)
