# SPDX-License-Identifier: Apache-2.0
#
# make run [SECONDS=N]    build, start the daemon on a private bus, show changes as an app sees them
# make test               all tests but the virtual machine's
# make test-peer          iio-sensor-proxy's own integration tests, against our SensorProxy=yes
# make test-vm            the installed daemon in a virtual machine: real kernel drivers, real systemd
# make bench              instructions and allocations per sample, beside a C twin
# make quality TRACES=DIR right, late and wrong over a folder of recordings with a reference gravity
# make plot TRACE=FILE [OUT=plot.png] [CONFIG=FILE]   a picture of why it decided so
# make install            into $(DESTDIR)$(PREFIX)
# make install-sensor-proxy   the same for what takes iio-sensor-proxy's place; not beside it
# make lint               format and shell checks
#
# Each target installs what it needs (apt) but the Swift toolchain.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

bindir = $(PREFIX)/bin
libexecdir = $(PREFIX)/libexec
unitdir = $(PREFIX)/lib/systemd/system
sysusersdir = $(PREFIX)/lib/sysusers.d
rulesdir = $(PREFIX)/lib/udev/rules.d
configdir = $(PREFIX)/lib
dbusdir = $(PREFIX)/share/dbus-1
polkitdir = $(PREFIX)/share/polkit-1/actions
mandir = $(PREFIX)/share/man

# lld, as other linkers warn of functions that Foundation's library never calls.
build_release = $(SWIFT) build --quiet -c release --static-swift-stdlib -Xswiftc -use-ld=lld
daemon = .build-daemon/orientationd
tool = .build/release/orientationctl

.PHONY: all build test test-peer install-sensor-proxy test-vm bench quality plot run install lint clean build-dependencies

all: build

build-dependencies:
	@scripts/dependencies build

build: build-dependencies
	@scripts/build-daemon $(SWIFT)
	@$(build_release) --product orientationctl

test: build-dependencies
	@scripts/dependencies test
	@$(SWIFT) build --quiet --build-tests
	@scripts/run-tests $(SWIFT)

test-peer: build-dependencies
	@scripts/dependencies peer
	@$(SWIFT) build --quiet --product orientationd
	@scripts/peer-source $(CURDIR)/.build-peer
	Tests/peer/run .build-peer .build/debug/orientationd

test-vm: build
	@scripts/dependencies vm
	$(MAKE) --no-print-directory install DESTDIR=$(CURDIR)/.build-vm/tree PREFIX=/usr
	Tests/vm/run $(CURDIR)/.build-vm/tree

bench: build-dependencies
	@scripts/dependencies bench
	@$(build_release) --product hot-loop
	Benchmarks/run .build/release/hot-loop

quality: build-dependencies
	@scripts/dependencies quality
	@test -n "$(TRACES)" || { echo "make quality: say where the recordings are: make quality TRACES=DIR" >&2; exit 2; }
	@$(build_release) --product orientationctl
	Benchmarks/quality/score.py $(tool) "$(TRACES)" $(if $(CONFIG),--config "$(CONFIG)")

plot: build-dependencies
	@scripts/dependencies plot
	@test -n "$(TRACE)" || { echo "make plot: say which recording: make plot TRACE=FILE" >&2; exit 2; }
	@$(build_release) --product explain
	Benchmarks/quality/plot.py $(dir $(tool))explain "$(TRACE)" "$(or $(OUT),plot.png)" $(if $(CONFIG),--config "$(CONFIG)")

run: build
	@scripts/dependencies run
	@scripts/try-out $(daemon) $(tool) $(SECONDS)

install:
	@test -x $(daemon) && test -x $(tool) || { echo "make install: run 'make' first, as the user who builds" >&2; exit 1; }
	install -D -m 755 $(daemon) $(DESTDIR)$(libexecdir)/orientationd
	install -D -m 755 $(tool) $(DESTDIR)$(bindir)/orientationctl
	install -d $(DESTDIR)$(unitdir) $(DESTDIR)$(dbusdir)/system-services
	sed 's|@libexecdir@|$(libexecdir)|' systemd/orientationd.service.in >$(DESTDIR)$(unitdir)/orientationd.service
	sed 's|@libexecdir@|$(libexecdir)|' data/org.orientationd1.service.in \
	  >$(DESTDIR)$(dbusdir)/system-services/org.orientationd1.service
	chmod 644 $(DESTDIR)$(unitdir)/orientationd.service \
	  $(DESTDIR)$(dbusdir)/system-services/org.orientationd1.service
	install -D -m 644 systemd/orientationd.sysusers $(DESTDIR)$(sysusersdir)/orientationd.conf
	install -D -m 644 systemd/60-orientationd.rules $(DESTDIR)$(rulesdir)/60-orientationd.rules
	install -D -m 644 data/orientationd.conf $(DESTDIR)$(configdir)/orientationd.conf
	install -D -m 644 data/org.orientationd1.conf $(DESTDIR)$(dbusdir)/system.d/org.orientationd1.conf
	install -D -m 644 data/org.orientationd1.policy $(DESTDIR)$(polkitdir)/org.orientationd1.policy
	install -d $(DESTDIR)$(dbusdir)/interfaces
	install -m 644 data/org.orientationd1.Device.xml data/org.orientationd1.Screen.xml $(DESTDIR)$(dbusdir)/interfaces
	install -D -m 644 data/man/orientationd.8 $(DESTDIR)$(mandir)/man8/orientationd.8
	install -D -m 644 data/man/orientationd.conf.5 $(DESTDIR)$(mandir)/man5/orientationd.conf.5
	install -D -m 644 data/man/org.orientationd1.5 $(DESTDIR)$(mandir)/man5/org.orientationd1.5
	install -D -m 644 data/man/orientationctl.1 $(DESTDIR)$(mandir)/man1/orientationctl.1

# The drop-in sorts before the administrator's own, which it must not go before.
install-sensor-proxy:
	install -d $(DESTDIR)$(dbusdir)/system-services
	sed 's|@libexecdir@|$(libexecdir)|' data/sensor-proxy/net.hadess.SensorProxy.service.in \
	  >$(DESTDIR)$(dbusdir)/system-services/net.hadess.SensorProxy.service
	chmod 644 $(DESTDIR)$(dbusdir)/system-services/net.hadess.SensorProxy.service
	install -D -m 644 data/sensor-proxy/net.hadess.SensorProxy.conf $(DESTDIR)$(dbusdir)/system.d/net.hadess.SensorProxy.conf
	install -D -m 644 data/sensor-proxy/net.hadess.SensorProxy.policy $(DESTDIR)$(polkitdir)/net.hadess.SensorProxy.policy
	install -D -m 644 data/sensor-proxy/orientationd.conf $(DESTDIR)$(configdir)/orientationd.conf.d/10-sensor-proxy.conf
	install -D -m 644 data/man/net.hadess.SensorProxy.5 $(DESTDIR)$(mandir)/man5/net.hadess.SensorProxy.5
	install -d $(DESTDIR)$(dbusdir)/interfaces
	install -m 644 data/net.hadess.SensorProxy.xml data/net.hadess.SensorProxy.Compass.xml $(DESTDIR)$(dbusdir)/interfaces

lint: build-dependencies
	@scripts/dependencies lint
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Benchmarks
	shellcheck scripts/* Benchmarks/run .ci/run Tests/vm/image/build Tests/vm/image/customize \
	  Tests/vm/image/initramfs-init Tests/vm/guest/start
	pyflakes3 Tests/MockPolkit Tests/peer Tests/peer/run Tests/vm/run Tests/vm Benchmarks/quality
	mandoc -Tlint -Wwarning data/man/*
	xmllint --noout --nonet data/*.xml data/org.orientationd1.conf data/sensor-proxy/net.hadess.SensorProxy.conf
	xmllint --noout --nonet --dtdvalid /usr/share/polkit-1/policyconfig-1.dtd data/org.orientationd1.policy \
	  data/sensor-proxy/net.hadess.SensorProxy.policy
	scripts/check-licences

clean:
	rm -rf .build .build-daemon .build-peer .build-vm
