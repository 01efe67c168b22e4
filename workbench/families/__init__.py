"""Methods by family: each module describes its own, and `workbench.methods` gathers them."""
