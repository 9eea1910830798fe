"""The inside: loads a solution in a confined fork and answers calls until the channel closes.

From the moment the file is imported this process is the solution's: whatever it reports is a
claim. The code here only has to be kind to honest solutions and to end cleanly with others.
"""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import mmap
import os
import random
import socket
import sys
import types
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from grader.sandbox import frames
from grader.sandbox.devices import DeviceWatch
from grader.sandbox.outcome import describe_exception, pack_value
from grader.sandbox.trace import Trace
from grader.tensors.wire import encode

MODULE = "solution"
_MAX_BODY = 1 << 20


def serve(channel: socket.socket, folder: str) -> None:
    """Answer frames until the parent hangs up. `folder` is the one folder that can be written."""
    worker = _Worker(folder)
    while True:
        try:
            header, _, fd = frames.receive(channel, _MAX_BODY)
        except EOFError:
            return
        reply, body = worker.answer(header, fd)
        _flush()
        frames.send(channel, reply | {"id": header["id"]}, body)


class _Worker:
    """The loaded solution and how to call it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.path = ""
        self.entry: Any = None

    def answer(self, header: dict[str, Any], fd: int) -> tuple[dict[str, Any], bytes]:
        step = {"load": self.load, "call": self.call, "trace": self.trace}[header["op"]]
        phase = "import" if header["op"] == "load" else "call"
        try:
            reply, tensors = step(header, fd)
            return reply, encode(tensors) if tensors else b""
        except BaseException as error:  # a solution may raise anything
            raised = describe_exception(error, self.path, phase)
            del error
            return {"raised": raised}, b""

    def load(self, header: dict[str, Any], fd: int) -> tuple[dict[str, Any], list[Tensor]]:
        """Write the one file, import it under a private name, look its entry up."""
        with os.fdopen(fd, "rb") as file:
            source = file.read()
        path = Path(self.folder, header["name"])
        path.write_bytes(source)
        self.path = str(path)
        if b"numpy" in source:  # it loads this late, and must be seeded before the first call
            importlib.import_module("numpy.random")
        module = _import(self.path)
        self.entry = module.__dict__.get(header["entry"])
        return _examine(module, header, self.path), []

    def call(self, header: dict[str, Any], fd: int) -> tuple[dict[str, Any], list[Tensor]]:
        """Make the call on tensors that lie in the parent's shared file; see `Call`."""
        _reset_global_state(header["chance"])
        if header["device"] == "meta":
            os.close(fd)
            return self._call_on_meta(header)
        memory = _mapped(fd)
        inputs = {a["name"]: _place(a, memory, header["device"]) for a in header["arguments"]}
        result = self._invoke(header, {name: value for name, (value, _) in inputs.items()})
        _flush_device(header["device"], inputs)
        tensors: list[Tensor] = []
        reply = {"value": pack_value(result, tensors, header["max_bytes"])}
        if header["cotangents"]:
            leaves = {name: inputs[name][0] for name in header["gradients"]}
            cotangents = {
                key: _place(a, memory, header["device"])[0]
                for key, a in header["cotangents"].items()
            }
            reply |= self._differentiate(result, leaves, cotangents, tensors)
            _flush_device(header["device"], inputs)
        return reply, tensors

    def trace(self, header: dict[str, Any], fd: int) -> tuple[dict[str, Any], list[Tensor]]:
        """Make the call only to record what each line makes; how it ends does not matter."""
        _reset_global_state(header["chance"])
        memory = _mapped(fd)
        values = {a["name"]: _place(a, memory, header["device"])[0] for a in header["arguments"]}
        result = None
        with Trace(self.path, values) as trace, contextlib.suppress(BaseException):
            result = self._invoke(header, values)
        with contextlib.suppress(BaseException):
            trace.note_result(result)
        reply = {
            "trace": [list(step) for step in trace.recording.steps],
            "returned": trace.returned,
            "mutated": trace.mutated,
            "lines": trace.lines,
            "calls": trace.calls,
            "renumbered": trace.renumbered,
        }
        return reply, trace.recording.tensors

    def _invoke(self, header: dict[str, Any], values: dict[str, Any]) -> Any:
        if header["keyword"]:
            return self.entry(**values)
        return self.entry(*values.values())

    def _call_on_meta(self, header: dict[str, Any]) -> tuple[dict[str, Any], list[Tensor]]:
        """Run on shapes alone, watching where tensors of two devices meet."""
        values = {a["name"]: _meta(a) for a in header["arguments"]}
        with DeviceWatch(self.path) as watch:
            try:
                result = self._invoke(header, values)
            except BaseException as error:
                raised = describe_exception(error, self.path, "call")
                return {"raised": raised, "conflict": watch.conflict, "line": watch.line}, []
        tensors: list[Tensor] = []  # of those on another device, which is the mistake looked for
        value = pack_value(result, tensors, header["max_bytes"])
        return {"value": value, "conflict": watch.conflict, "line": watch.line}, tensors

    def _differentiate(
        self,
        result: Any,
        leaves: dict[str, Tensor],
        cotangents: dict[str, Tensor],
        tensors: list[Tensor],
    ) -> dict[str, Any]:
        """Vector-Jacobian product of the outputs with the cotangents, for each leaf."""
        pairs = [
            (output, weight)
            for key, weight in cotangents.items()
            if (output := _output(result, key)) is not None
            and output.requires_grad
            and output.shape == weight.shape
        ]
        if not pairs:
            return {"gradients": dict.fromkeys(leaves)}
        try:
            # As one sum: given `grad_outputs`, autograd would load sympy (0.2 s) to compare shapes.
            total = torch.stack([(output * weight).sum() for output, weight in pairs]).sum()
            gradients = torch.autograd.grad(total, list(leaves.values()), allow_unused=True)
        except BaseException as error:
            return {"gradients": {}, "backward": describe_exception(error, self.path, "backward")}
        places: dict[str, int | None] = dict.fromkeys(leaves)
        for name, gradient in zip(leaves, gradients, strict=True):
            if gradient is not None:
                places[name] = len(tensors)
                tensors.append(gradient)
        return {"gradients": places}


def _import(path: str) -> types.ModuleType:
    """Import the file by path; the name is private, and nothing is added to `sys.path`."""
    spec = importlib.util.spec_from_file_location(MODULE, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


def _examine(module: types.ModuleType, header: dict[str, Any], path: str) -> dict[str, Any]:
    """Whether the entry can be called as the problem says; else what is there instead."""
    entry = module.__dict__.get(header["entry"])
    if header["entry"] not in module.__dict__:
        return {"entry": "missing", "names": _defined_names(module, path)}
    if inspect.isclass(entry):
        return {"entry": "class"}
    if not callable(entry):
        return {"entry": "not_callable", "found": type(entry).__name__}
    if inspect.iscoroutinefunction(entry) or inspect.isasyncgenfunction(entry):
        return {"entry": "async"}
    if inspect.isgeneratorfunction(entry):
        return {"entry": "generator"}
    try:
        signature = inspect.signature(entry)
    except (TypeError, ValueError):
        return {"entry": "ready", "keyword": False}
    keyword = _calling_convention(signature, header["required"], header["optional"])
    if keyword is None:
        return {"entry": "signature", "found": str(signature)[:400]}
    return {"entry": "ready", "keyword": keyword}


def _calling_convention(
    signature: inspect.Signature, required: list[str], optional: list[str]
) -> bool | None:
    """False: by position; True: by keyword; None: neither fits.

    Parameters named as the problem's but in another order do not fit, for a call by position
    would then mix them up.
    """
    names = [*required, *optional]
    mine = [name for name in signature.parameters if name in names]
    in_order = mine == [name for name in names if name in mine]
    for keyword in (False, True):
        if not keyword and not in_order:
            continue
        if _binds(signature, names, keyword) and _binds(signature, required, keyword):
            return keyword if in_order else None
    return None


def _binds(signature: inspect.Signature, names: list[str], keyword: bool) -> bool:
    try:
        if keyword:
            signature.bind(**dict.fromkeys(names))
        else:
            signature.bind(*names)
    except TypeError:
        return False
    return True


def _defined_names(module: types.ModuleType, path: str) -> list[tuple[str, int]]:
    """Functions and classes that the file itself defines, with their lines."""
    found = []
    for name, value in list(module.__dict__.items())[:1000]:
        code = getattr(value, "__code__", None)
        if isinstance(code, types.CodeType) and code.co_filename == path:
            found.append((name[:100], code.co_firstlineno))
        elif inspect.isclass(value) and value.__module__ == MODULE:
            found.append((name[:100], 0))
    return found[:50]


def _mapped(fd: int) -> mmap.mmap:
    """The parent's shared file; the descriptor is closed."""
    with os.fdopen(fd, "rb") as file:
        return mmap.mmap(file.fileno(), os.fstat(file.fileno()).st_size, mmap.MAP_SHARED)


def _place(argument: dict[str, Any], memory: mmap.mmap, device: str) -> tuple[Any, Any]:
    """An argument as the solution gets it, and (for a GPU) the pair to copy back after the call."""
    if "number" in argument:
        return argument["number"], None
    dtype = getattr(torch, argument["dtype"])
    shape, stride, count = argument["shape"], argument["stride"], argument["count"]
    if count == 0:
        storage = torch.empty(0, dtype=dtype)
    else:
        storage = torch.frombuffer(memory, dtype=dtype, count=count, offset=argument["at"])
    moved = storage.to(device)
    value = moved.as_strided(shape, stride, argument["offset"])
    value.requires_grad_(argument["grad"])
    return value, (storage, moved) if device == "cuda" else None


def _meta(argument: dict[str, Any]) -> Any:
    if "number" in argument:
        return argument["number"]
    dtype = getattr(torch, argument["dtype"])
    return torch.empty_strided(argument["shape"], argument["stride"], dtype=dtype, device="meta")


def _flush_device(device: str, inputs: dict[str, tuple[Any, Any]]) -> None:
    """Bring a GPU's inputs back into the shared file, where the parent looks for changes."""
    if device != "cuda":
        return
    for _, pair in inputs.values():
        if pair is not None:
            with torch.no_grad():
                pair[0].copy_(pair[1])


def _output(result: Any, key: str) -> Tensor | None:
    found = result if key == "" else result.get(key) if type(result) is dict else None
    return found if isinstance(found, Tensor) else None


def _reset_global_state(chance: int) -> None:
    """What one call left behind in torch must not reach the next."""
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)
    torch.set_grad_enabled(True)
    if torch.are_deterministic_algorithms_enabled():  # asked first: setting loads the compiler
        torch.use_deterministic_algorithms(False)
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.manual_seed(chance)
    random.seed(chance)
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed(chance)


def _flush() -> None:
    """What was printed belongs to this step: out with it before the answer."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # a solution may have replaced or closed it
            continue
