# Basinscope: run, test, check and measure. `make` alone lists the targets.
#
# Settings, all optional:
#   PYTHON=python3.12  PORT=8600  ADDRESS=0.0.0.0 (lets the network in)
#   TESTS=tests/ui  WORKERS=4  NAME=clam  ARGS="--data DIR --minutes 10"

VENV := .venv
BIN  := $(VENV)/bin
PYTHON  ?=
PORT    ?= 8501
ADDRESS ?= localhost
TESTS   ?=
WORKERS ?=
NAME    ?=
ARGS    ?=
# Progress bars for people, silence for logs.
PIP = $(BIN)/python -m pip install --disable-pip-version-check $(shell [ -t 2 ] || echo --quiet)

.DEFAULT_GOAL := help
.PHONY: help app test check format bench clean
.DELETE_ON_ERROR:

help:
	@echo "make app           serve the app at http://localhost:$(PORT)   (PORT=8600 for another port)"
	@echo "make test          run all tests, the browser's included    (TESTS=tests/clam_core for some)"
	@echo "make check         ruff, ruff format and pyright"
	@echo "make format        let ruff mend what it can"
	@echo "make bench NAME=…  run one benchmark; without NAME: list them (ARGS=\"--minutes 10\")"
	@echo "make clean         remove the virtual environment and all caches"

app: $(VENV)/app.stamp
	@echo "Basinscope is starting at http://$(ADDRESS):$(PORT)   (Ctrl+C stops it)"
	@exec $(BIN)/streamlit run app.py --server.address $(ADDRESS) --server.port $(PORT) < /dev/null

test: $(VENV)/dev.stamp
	@sh tools/tests.sh $(BIN)/python "$(WORKERS)" $(TESTS)

check: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

format: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/dev.stamp
	@$(BIN)/python -m benchmarks $(NAME) $(ARGS)

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is newer than what it stands for, so the second run does nothing. The interpreter counts
# too: when the system's Python goes or changes, the environment is made anew.
$(BIN)/python:
	@sh tools/venv.sh $(VENV) "$(PYTHON)"

$(VENV)/app.stamp: requirements.txt $(BIN)/python
	@sh tools/venv.sh $(VENV) "$(PYTHON)"
	@echo "Installing what the app needs (once; PyTorch is large, so this takes minutes) …"
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/dev.stamp: requirements-dev.txt requirements.txt $(BIN)/python
	@sh tools/venv.sh $(VENV) "$(PYTHON)"
	@echo "Installing what the app, the tests and the checks need (once; this takes minutes) …"
	@$(PIP) -r requirements-dev.txt
	@touch $(VENV)/app.stamp $@
