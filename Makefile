# Everything that is built lands in build/ and bin/; nothing of it is committed.

JAVA_HOME_17 := $(shell scripts/jdk 17)
JAVAC        := $(JAVA_HOME_17)/bin/javac
CC           ?= cc
CFLAGS       ?= -O2
AGENT_FLAGS  := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fvisibility=hidden -fPIC -Ibuild -Iagent \
                -I$(JAVA_HOME_17)/include -I$(JAVA_HOME_17)/include/linux
# No library but those that musl's linker takes for its own: a JVM that uses musl loads the agent, which steps aside.
AGENT_LIBS   := -nodefaultlibs -Wl,--as-needed -l:libdl.so.2 -l:libpthread.so.0 -l:libc.so.6 -l:libc_nonshared.a -lgcc
PAYLOAD      := internal/payload/files

# The longest packages come first, so that no core is left with one of them at the end. Many of their tests wait: two
# packages run for each core, one test of each at a time. What go test would vet again, go vet has. The slowest tests
# are named when all have run.
PACKAGES := ./internal/launch $(addprefix ./tests/,objects contexts truth compat classes lifecycle ...) \
            ./internal/instrument/... ./...
GO_TEST  := mkdir -p build && go tool gotestsum --format pkgname-and-test-fails --format-hide-empty-pkg \
            --jsonfile build/tests.json \
            --post-run-command 'go tool gotestsum tool slowest --num 20 --jsonfile build/tests.json' -- \
            -p $$((2 * $$(nproc))) -parallel 1 -vet=off -ldflags=-w

.PHONY: help build install demo test test-long fuzz torture soak stress check bench bench-full bench-install \
        install-build install-test install-long clean FORCE

help: ## say what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16

build: install-build bin/mallard ## the binary bin/mallard, with the agent inside

PREFIX ?= /usr/local

install: build ## bin/mallard and `man mallard` below PREFIX (/usr/local), which may be below DESTDIR
	install -D bin/mallard '$(DESTDIR)$(PREFIX)/bin/mallard'
	bin/mallard manual --format man > build/mallard.1
	install -D -m 644 build/mallard.1 '$(DESTDIR)$(PREFIX)/share/man/man1/mallard.1'

demo: build ## profile the JDK's own javac over a few hundred files and show the result
	@scripts/demo

test: install-test build ## all tests; what CI runs
	scripts/check-format
	go vet ./...
	$(GO_TEST) -timeout 75m $(PACKAGES)

test-long: install-long bench-install ## the exhaustive versions: every class, every program, long fuzzing
	MALLARD_LONG=1 go test -timeout 3h ./...

fuzz: install-long build ## minutes of each fuzz target, and 50,000 changed recordings against every question
	scripts/fuzz

torture: install-test build ## programs that end in all ways, with and without Mallard; can be interrupted
	go run ./tests/torture -resume

soak: install-test build ## 10 minutes of threads and class loaders that come and go, with each way to record: hours
	go run ./tests/soak

stress: install-test build ## 30 minutes of programs that use their heap hard, which HotSpot verifies, with sanitizers
	MALLARD_STRESS=30m go test -timeout 1h -v ./tests/objects -run TestStress

check: export GOFLAGS = -race
check: install-test build ## test with the race detector, in bin/mallard too, and static analysis
	scripts/check-format
	go vet ./...
	go tool staticcheck ./...
	$(GO_TEST) -timeout 3h $(PACKAGES)

bench: bench-install ## measure, on the oldest JDK with G1; writes bench/out/figures.json
	go run ./bench

bench-full: bench-install ## measure run time on JDK 17 and 25 with three collectors, going on where it was interrupted
	go run ./bench -resume -jdk 17,25 -gc g1,parallel,serial -variants mallard,jfr runtime

bench-install: install-test build
	go run ./bench -install

install-build:
	@scripts/install build

install-test:
	@scripts/install test

install-long:
	@scripts/install long

clean: ## remove what was built
	rm -rf bin build bench/out $(PAYLOAD)/launcher $(PAYLOAD)/*.so $(PAYLOAD)/*.class $(PAYLOAD)/*.jar

# The go command knows best what is out of date.
bin/mallard: $(PAYLOAD)/libmallard.so $(PAYLOAD)/launcher $(PAYLOAD)/runtime-$$Mallard.class \
             $(PAYLOAD)/portable-Counters.class $(PAYLOAD)/mallard-api.jar FORCE
	go build -o $@ ./cmd/mallard

$(PAYLOAD)/libmallard.so: build/abi.h $(wildcard agent/*.c agent/*.h)
	$(CC) $(CFLAGS) $(AGENT_FLAGS) -shared -o $@ $(wildcard agent/*.c) $(AGENT_LIBS)

$(PAYLOAD)/launcher: launcher/launcher.c
	$(CC) $(CFLAGS) -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -o $@ $<

# What three languages share, from one table.
ABI := $(wildcard internal/abi/*.go internal/abi/gen/*.go)

build/abi.h: $(ABI)
	@mkdir -p build
	go run ./internal/abi/gen header > $@

build/abi/java/lang/$$MallardABI.java: $(ABI)
	@mkdir -p build/abi/java/lang
	go run ./internal/abi/gen java > '$@'

# The stub of Thread has the field that no JDK's Thread has; the constants are compiled into the classes that use them.
# Only the runtime classes are kept.
$(PAYLOAD)/runtime-$$Mallard.class: build/abi/java/lang/$$MallardABI.java \
                                    $(wildcard runtime/java/lang/*.java runtime/stubs/java/lang/*.java)
	@rm -rf build/runtime $(PAYLOAD)/runtime-*.class && mkdir -p build/runtime
	$(JAVAC) -Xlint:-options -source 17 -target 17 -g:none \
	  --patch-module java.base=runtime/java:runtime/stubs:build/abi -d build/runtime $(foreach f,$^,'$(f)')
	cd build/runtime/java/lang && rm '$$MallardABI.class' && \
	  for f in '$$Mallard'*.class; do cp "$$f" "$(CURDIR)/$(PAYLOAD)/runtime-$$f"; done

# What portable programs carry with them runs on Java 8 and newer.
$(PAYLOAD)/portable-Counters.class: $(wildcard runtime/portable/mallard/portable/*.java)
	@rm -rf build/portable $(PAYLOAD)/portable-*.class && mkdir -p build/portable
	$(JAVAC) -Xlint:-options --release 8 -g:none -d build/portable $^
	cd build/portable/mallard/portable && for f in *.class; do cp "$$f" "$(CURDIR)/$(PAYLOAD)/portable-$$f"; done

# What programs may know of Mallard. Of JUnit it is compiled against signatures, which are not in the jar.
JUNIT := $(wildcard runtime/junit/org/junit/jupiter/api/extension/*.java)

$(PAYLOAD)/mallard-api.jar: $(wildcard runtime/api/mallard/*.java) $(JUNIT)
	@rm -rf build/api build/junit && mkdir -p build/api build/junit
	$(JAVAC) --release 17 -g:none -d build/junit $(JUNIT)
	$(JAVAC) --release 17 -g:none -cp build/junit -d build/api $(filter runtime/api/%,$^)
	$(JAVA_HOME_17)/bin/jar --create --file $@ -C build/api .

FORCE:
