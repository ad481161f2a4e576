# inkeek: `make run` opens the page at http://localhost:8000, `make test` checks everything. Both make .venv first.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=
PIP_RUN = $(BIN)/python -m pip install --quiet --disable-pip-version-check

# On a Raspberry Pi the camera's library comes with the system and must be seen from the venv.
SYSTEM := $(shell $(PYTHON) -c 'import importlib.util as u; print("--system-site-packages" if u.find_spec("picamera2") else "")' 2>/dev/null)

comma  := ,
# The simulated table is drawn by compiled code, which is installed only where that table is the camera.
DRAWN  := $(if $(findstring --camera,$(ARGS)),$(filter sim --camera=sim,$(ARGS)),sim)
EXTRAS := fast,clips,hall$(if $(SYSTEM),$(comma)pi)$(if $(DRAWN),$(comma)sim)
RUN    := $(VENV)/.run-$(subst $(comma),-,$(EXTRAS))

.PHONY: help venv run hall-demo check test ahead browser contract libcamera arm64 attack bench mutants lint js-types pins audit install install-files uninstall clean

help:
	@sed -n '1s/^# //p' Makefile

venv: $(RUN)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "inkeek needs Python 3.11 or newer; $(PYTHON) is older" >&2; exit 1; }
	@$(PYTHON) -m venv $(SYSTEM) $(VENV) || { echo "no venv could be made: on Debian run 'apt install python3-venv'" >&2; exit 1; }

# The marks say with which pyproject.toml and which extras the venv was filled: unchanged, nothing is installed again.
# ncnn (extra fast) has no wheel for some machines; there OpenCV runs the networks.
# A venv that is older than the camera's library is opened to it.
$(RUN): pyproject.toml | $(BIN)/python
	$(if $(SYSTEM),@$(PYTHON) -m venv $(SYSTEM) $(VENV))
	@echo "Installing what inkeek needs into $(VENV). This is done once, and takes from half a minute to a few minutes."
	@$(PIP_RUN) --only-binary ncnn --editable '.[$(EXTRAS)]' || { echo "Trying again without ncnn: OpenCV will run the networks, more slowly." && \
	    $(PIP_RUN) --editable '.[$(subst fast$(comma),,$(EXTRAS))]'; }
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@echo "Installing what the tests need into $(VENV), once."
	@$(PIP_RUN) --editable '.[dev$(if $(SYSTEM),$(comma)pi)]'
	@touch $@

# Compiled ahead, the first picture comes at once; else the page would wait for it.
$(VENV)/.drawn: $(RUN) $(wildcard vision/render/*.py)
	@$(BIN)/python -m device.sim.ahead
	@touch $@

run: $(RUN) $(if $(DRAWN),$(VENV)/.drawn)
	@$(BIN)/inkeek run $(ARGS)

# A broker, three simulated tables and the hall over them at http://localhost:8080, with Debian's mosquitto. Each table
# draws and reads its own pictures: on a small machine ARGS="--tables 1" is enough.
hall-demo: $(VENV)/.drawn
	@$(BIN)/python -m web.hall.demo $(ARGS)

# The pages' scripts that only compute and draw, checked for types; needs node and npm.
js-types:
	npx --yes --package typescript@5 tsc --project web

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/complexipy

# Within a minute: lint, the types of what changed, and the tests that need no renderer, network or browser.
check: $(VENV)/.dev
	@$(BIN)/python -m tests.check

check test ahead: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.dev browser
	@$(MAKE) --no-print-directory --jobs=2 lint ahead
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder --reruns 1 -m "not for_bench" $(ARGS)

# While the other core checks types: the renderer's machine code, and the tests' bytecode with its rewritten asserts.
# Else each worker would make them for itself, all at the same time.
ahead: $(VENV)/.dev
	@$(BIN)/python -m device.sim.ahead
	@$(BIN)/python -m pytest --collect-only -q >/dev/null || true

# What the page's tests open it in: the system's Chromium, else Playwright's own in its usual cache. Without a network
# those tests are left out, and the last line of the run says so.
browser: $(VENV)/.dev
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || $(BIN)/playwright install --only-shell chromium >/dev/null 2>&1 || \
	    echo "no Chromium is installed and Playwright's own cannot be fetched: the page is not tried in a browser" >&2

# The library of the Pi's camera, for `make test` to hold our calls against it.
contract: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[contract]'

# A game through the real libcamera and picamera2, in a Debian system of its own (tests/libcamera): for root, with
# mmdebstrap, a Debian mirror, 2 GB of disk and 4 GB of memory. Where one of these is missing it says so.
libcamera: $(VENV)/.dev
	$(BIN)/python -m tests.libcamera $(ARGS)

# The program under 64-bit ARM, as a Raspberry Pi's processor runs it: with qemu-user-static, mmdebstrap, a Debian mirror
# and 1 GB of disk; any user may. Where one of these is missing it says so.
arm64: $(VENV)/.dev
	$(BIN)/python -m tests.arm64 $(ARGS)

# Every line of the threat list, tried against a running page; and every way in for programs, fuzzed for long.
attack: $(VENV)/.dev
	$(BIN)/python -m tests.web.attack
	INKEEK_EXAMPLES=500 $(BIN)/python -m pytest tests/web/views/test_schema.py

bench: $(VENV)/.dev
	$(BIN)/python -m pytest -q -m for_bench tests/bench
	$(BIN)/python -m tests.bench $(ARGS)

# Mutation testing of the rules (tests/engine/MUTANTS.md), in a copy: the tree itself is never changed. Takes an hour;
# `make mutants ARGS="engine.games.omweso.*"` tries one file.
MUTANTS ?= $(or $(TMPDIR),/tmp)/inkeek-mutants

mutants: $(VENV)/.dev
	mkdir -p $(MUTANTS)
	rm -rf $(MUTANTS)/engine $(MUTANTS)/tests
	cp -R engine tests pyproject.toml $(MUTANTS)/
	cd $(MUTANTS) && nice $(CURDIR)/$(BIN)/mutmut run --max-children 1 $(ARGS) && $(CURDIR)/$(BIN)/mutmut results

# ---- as a service ----------------------------------------------------------------------------------------------

# `sudo make install` on Raspberry Pi OS: a venv of its own under PREFIX, and two services, the table and the page. Where
# no systemd runs (a card's image, in a chroot) they begin when the machine does. With DESTDIR all of it is laid there, for
# a machine with the same Python.
PREFIX  ?= /opt/inkeek
DESTDIR ?=
UNITS   := inkeek-table.service inkeek-page.service
# Laid in place, and begun by whoever has a hall of tables.
ON_WISH := inkeek-hall-link.service
CAMERA  := $(if $(SYSTEM),pi,usb)
# Nothing is installed there but the very files that are named in it by their hashes.
PINS    := device/service/pins.txt
STAGED  := $(DESTDIR)$(PREFIX)
PIP     := $(STAGED)/bin/python -m pip install --quiet --disable-pip-version-check

install:
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" = 0 ] || { echo "the services are installed by root: sudo make install" >&2; exit 1; }
	@command -v systemctl >/dev/null && command -v systemd-sysusers >/dev/null || { echo "there is no systemd here to run the services: use make run" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "inkeek needs Python 3.11 or newer; $(PYTHON) is older" >&2; exit 1; }
	$(PYTHON) -m venv $(SYSTEM) $(STAGED)
	$(PIP) --require-hashes --requirement $(PINS)
	$(PIP) --no-deps --no-build-isolation --force-reinstall .
	@[ -z "$(DESTDIR)" ] || find $(STAGED)/bin $(STAGED)/pyvenv.cfg -type f -exec sed -i 's|$(STAGED)|$(PREFIX)|g' {} +
	$(MAKE) --no-print-directory install-files
	systemd-sysusers --root=$(DESTDIR)/ inkeek.conf
	systemctl --root=$(DESTDIR)/ enable --quiet $(UNITS)
	@if [ -n "$(DESTDIR)" ] || [ ! -d /run/systemd/system ]; then \
	    echo "inkeek begins when the machine does; inkeek doctor says there what is wrong"; \
	else \
	    set -e; chown -R inkeek:inkeek /var/lib/inkeek; systemctl daemon-reload; systemctl restart --no-block $(UNITS); \
	    echo "inkeek is at http://$$(hostname).local:8000 in a moment; journalctl -u 'inkeek-*' says what it does"; \
	fi

# Pin the newest of everything that the services need.
pins: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	echo "# What \`make install\` installs, each file by its hash, for any machine with Python 3.11 or newer. Made by \`make pins\`." >$(PINS).new
	echo hatchling | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	    --extra sim --extra pi --extra clips --extra hall pyproject.toml - >>$(PINS).new
	mv $(PINS).new $(PINS)

# Whether a weakness is known of what is pinned, where the index of them can be reached.
audit: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(BIN)/pip-audit --strict --require-hashes --disable-pip --progress-spinner off --requirement $(PINS)

# What belongs into the system's folders; under DESTDIR for those who make a card or a package.
install-files:
	@for unit in $(UNITS) $(ON_WISH); do install -D -m 644 device/service/$$unit $(DESTDIR)/etc/systemd/system/$$unit && \
	    sed -i 's|@PREFIX@|$(PREFIX)|g' $(DESTDIR)/etc/systemd/system/$$unit || exit 1; done
	@install -D -m 644 device/service/inkeek.sysusers $(DESTDIR)/usr/lib/sysusers.d/inkeek.conf
	@install -D -m 644 device/service/inkeek.avahi $(DESTDIR)/etc/avahi/services/inkeek.service
	@install -d $(DESTDIR)/usr/local/bin && ln -sfn $(PREFIX)/bin/inkeek $(DESTDIR)/usr/local/bin/inkeek
	@[ -e $(DESTDIR)/var/lib/inkeek/inkeek.toml ] || { install -D -m 600 device/service/inkeek.toml $(DESTDIR)/var/lib/inkeek/inkeek.toml && \
	    sed -i 's|@CAMERA@|$(CAMERA)|' $(DESTDIR)/var/lib/inkeek/inkeek.toml; }

# The data folder stays: it holds the games.
uninstall:
	-systemctl disable --now $(UNITS) $(ON_WISH)
	rm -rf $(PREFIX)
	rm -f $(addprefix /etc/systemd/system/,$(UNITS) $(ON_WISH)) /usr/lib/sysusers.d/inkeek.conf /etc/avahi/services/inkeek.service /usr/local/bin/inkeek
	systemctl daemon-reload

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .complexipy_cache .hypothesis
