"""One small script per question; each prints its figures beside their bars.

``python -m benchmarks`` lists them, ``python -m benchmarks NAME`` runs one. A benchmark is a module
of this package with a function ``main(report, *, data=None, minutes=None)``; the first line of
its docstring is its line in the list.
"""
