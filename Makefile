# Every target except help runs Scripts/bootstrap first, then one script. Read the script's --help for details.
# Pass arguments to the script with ARGS: make test ARGS="--filter ParallelTests", make demo ARGS="birds".

.DEFAULT_GOAL := help
.PHONY: demo test bench lint format docs packages consumers precheck precheck-full help bootstrap
MAKEFLAGS += --no-print-directory

ARGS ?=

demo: bootstrap ## Run the demo, a tour of all packages by default: `make demo ARGS="birds"`
	@Scripts/demo $(ARGS)

test: bootstrap ## Build everything and run all tests: `make test ARGS="--filter ParallelTests"`
	@Scripts/test $(ARGS)

bench: bootstrap ## Run the benchmarks and compare each cost with its budget
	@Scripts/bench $(ARGS)

lint: bootstrap ## Check the format of all Swift files
	@Scripts/check-format

format: bootstrap ## Format all Swift files in place
	@Scripts/format

docs: bootstrap ## Build the documentation of all packages in .build/docs
	@Scripts/docs

packages: bootstrap ## Run the tests of each package alone
	@Scripts/check-packages $(ARGS)

consumers: bootstrap ## Build and run programs that depend on the packages, by path and by git URL
	@Scripts/check-consumers

precheck: bootstrap ## Run the checks that must pass before a push
	@Scripts/precheck $(ARGS)

precheck-full: bootstrap ## Run the checks of precheck and the slow ones: consumers, budgets, packages alone, sanitizers
	@Scripts/precheck --full $(ARGS)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bootstrap:
	@Scripts/bootstrap
