# SPDX-License-Identifier: MIT
# Writes facts about layouts: sizes and strides of tensors, which views are possible, how results of elementwise
# operations lie.  Run once with PyTorch; tests/unit/test_strides.c reads what it prints.
import random
import torch

random.seed(20261115)


def text(sizes, strides):
    return " ".join(f"{n}:{s}" for n, s in zip(sizes, strides)) or "-"


def some_tensor(sizes):
    """A tensor of these sizes, as views of dense ones give it: permuted, sliced, repeated."""
    order = random.sample(range(len(sizes)), len(sizes))
    wide = [sizes[i] + (random.choice([0, 0, 0, 2]) if random.random() < 0.3 else 0) for i in order]
    flat = [1 if random.random() < 0.12 else n for n in wide]
    x = torch.empty(flat).expand(wide)
    for k, i in enumerate(order):
        x = x.narrow(k, 0, sizes[i])
    back = [order.index(i) for i in range(len(sizes))]
    return x.permute(back)


def some_sizes(n):
    return [random.choice([1, 2, 2, 3, 4, 4, 6]) for _ in range(n)]


def split_or_join(sizes):
    """Other sizes of as many elements."""
    out = list(sizes)
    for _ in range(random.randint(1, 3)):
        i = random.randrange(len(out) + 1)
        what = random.random()
        if what < 0.55 and len(out) > 1 and i + 1 < len(out):
            out[i:i + 2] = [out[i] * out[i + 1]]
        elif what < 0.75 and i < len(out) and out[i] % 2 == 0:
            out[i:i + 1] = random.choice([[2, out[i] // 2], [out[i] // 2, 2]])
        else:
            out.insert(i, 1)
    return out[:8]


def view_fact():
    x = some_tensor(some_sizes(random.randint(1, 4)))
    want = split_or_join(list(x.shape))
    if torch.Size(want).numel() != x.numel():
        return None
    try:
        y = x.view(want)
        return f"view {text(x.shape, x.stride())} | {text(y.shape, y.stride())}"
    except RuntimeError:
        return f"copy {text(x.shape, x.stride())} | {text(want, torch.empty(want).stride())}"


def elementwise_fact():
    sizes = some_sizes(random.randint(1, 4))
    n = random.choice([1, 2, 2, 2, 3])
    given = []
    for _ in range(n):
        some = [1 if random.random() < 0.15 else k for k in sizes]
        given.append(some_tensor(some))
    sizes = torch.broadcast_shapes(*[g.shape for g in given])
    result = given[0] * 2 if n == 1 else given[0] + given[1] if n == 2 else torch.addcmul(*given)
    seen = []
    for g in given:
        e = g.expand(sizes)
        strides = [0 if g.shape[i] == 1 and sizes[i] != 1 else g.stride(i) for i in range(len(sizes))]
        assert e.shape == result.shape
        seen.append(text(sizes, strides))
    return f"sum {' | '.join(seen)} | {text(result.shape, result.stride())}"


facts = set()
while len(facts) < 200:
    fact = view_fact()
    if fact and fact.startswith("copy"):
        facts.add(fact)
while len(facts) < 450:
    fact = view_fact()
    if fact:
        facts.add(fact)
while len(facts) < 1000:
    facts.add(elementwise_fact())
print("# view or copy: sizes and strides of a tensor | the wanted sizes, with the strides that they get")
print("# sum: sizes and strides of the operands, 0 where one is repeated | those of the result")
print(f"# PyTorch {torch.__version__.split('+')[0]} on a CPU; generate.py, beside this file, wrote it")
for fact in sorted(facts):
    print(fact)
