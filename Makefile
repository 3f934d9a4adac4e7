# Every target makes the machine ready first, and does its work in one script that explains itself with --help.
# ARGS reaches that script: make test ARGS="--filter ParallelTests", make demo ARGS="birds --json".

.DEFAULT_GOAL := help
.PHONY: demo test bench lint format docs packages consumers precheck precheck-full help bootstrap
MAKEFLAGS += --no-print-directory

ARGS ?=

demo: bootstrap ## Run the demo: `make demo ARGS="birds --json"`; without ARGS it goes on a tour of everything
	@Scripts/demo $(ARGS)

test: bootstrap ## Build everything and run every test
	@Scripts/test $(ARGS)

bench: bootstrap ## Run the benchmarks, print the table, write .build/benchmarks.json
	@Scripts/bench $(ARGS)

lint: bootstrap ## Check the format of every Swift file, strictly
	@Scripts/check-format

format: bootstrap ## Format every Swift file in place
	@Scripts/format

docs: bootstrap ## Build the documentation of every package into .build/docs
	@Scripts/docs

packages: bootstrap ## Run the tests of each package on its own
	@Scripts/check-packages $(ARGS)

consumers: bootstrap ## Build and run the packages as strangers use them, from a fresh clone
	@Scripts/check-consumers

precheck: bootstrap ## Run the checks that must pass before a push
	@Scripts/precheck $(ARGS)

precheck-full: bootstrap ## Run these and the slow ones: packages alone, sanitizers, consumers, budgets, stress
	@Scripts/precheck --full $(ARGS)

help: ## Say what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bootstrap:
	@Scripts/bootstrap
