"""What a person is told about each column before anything runs."""

import numpy as np

from workbench.facts import column_facts
from workbench.intake import read_table
from workbench.roles import guess_roles


def facts(text):
    table = read_table(text.encode(), "table.csv")
    return column_facts(table, guess_roles(table))


def test_missing_examples_and_flags():
    rng = np.random.default_rng(0)
    minutes = rng.normal(50, 10, 200)
    rows = [
        f"{m:.6f},{60 * m:.4f},{np.exp(3 * z):.3f},{'' if i % 4 else 'red'},{int(i == 7)}"
        for i, (m, z) in enumerate(zip(minutes, rng.normal(size=200), strict=True))
    ]
    found = facts("minutes,seconds,amount,colour,rare\n" + "\n".join(rows))
    assert found["seconds"].flags == ("a copy of minutes, up to scale",)
    assert found["minutes"].flags == ()
    assert found["amount"].flags == ("strongly skewed: a log scale may help",)
    assert found["colour"].missing == 0.75 and found["colour"].examples == "red"
    assert found["rare"].flags[0] == "99.5% are 0"
