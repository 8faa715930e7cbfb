# SPDX-License-Identifier: Apache-2.0
#
# make run [SECONDS=N] [PICTURE=no]   build, start the daemon on a private bus, and show a moving picture of the tablet; without a
#                         terminal, or with PICTURE=no, the changes as an app sees them
# make test [ONLY=NAME]   the unit and service tests; NAME, a regular expression: only suites and tests called so
# make test-peer          iio-sensor-proxy's own integration tests, run against orientationd with SensorProxy=yes
# make test-shell [KEEP=DIR] [TREE=DIR]   real shells, phosh, mutter and KWin, must turn their screens with the tablet; pictures in KEEP;
#                         with TREE, those of Debian 13, which is installed into that folder (needs root)
# make test-waybar [KEEP=DIR]  a real waybar with the button of examples/bars: lock, clicks, the end of the daemon; pictures in DIR
# make test-follow [KEEP=DIR] [TREE=DIR]   orientationctl follow must turn the screens of real compositors: phoc, and with TREE sway and
#                         labwc of Debian 13, which is installed into that folder (needs root); pictures in KEEP
# make test-lock          the rotation lock of GNOME and phosh and orientationd's must stay equal: real settings, on a private session bus
# make settings           build the window, orientation-settings; needs GTK 4 and libadwaita
# make test-settings [KEEP=DIR]   a pointer uses that window under Xvfb and phoc, with a tablet that is turned; pictures in DIR
# make test-generators    the installed descriptions of the D-Bus interfaces go through generators of bindings and of documentation:
#                         Qt 5 and 6, GLib, Vala, sdbus-c++, dasbus; what they make is compiled
# make test-hostile [SECONDS=N] [SEED=N]   other users attack the shipped daemon, on both of Debian's message buses; needs root
# make test-client        build a package of another project that uses the libraries of this one
# make test-vm [TESTS=NAMES] [SUITE=RELEASE] [ARCH=arm64]   test the installed daemon in a virtual machine: real kernel drivers, real systemd; NAMES: only
#                         these tests, as Tests/System/vm/run has them; RELEASE: of Debian, such as trixie, instead of this machine's;
#                         ARCH=arm64, with SUITE=trixie: the packages of make deb-arm64, in an emulated arm64 machine; needs root
# make vm-image [SUITE=RELEASE] [ARCH=arm64]   only build the disk of that machine, which make test-vm does if there is none yet
# make test-platforms     make test-vm on Debian 13, with each message bus, and on arm64, make test-reproducible, make test-sid and make
#                         test-settings; takes two hours; needs root
# make test-sid           in Debian's unstable release, with Debian's own Swift toolchain: build, make test, packages; needs root
# make soak HOURS=N [SEED=N]   random events of a tablet's life in that machine: turns, clients, sleep, unplugs; checks each announcement
# make bench              instructions and allocations per sample, compared with a C twin
# make growth [ONLY=NAMES]   how the daemon's cost grows with subscribers, readers of motion, devices, rates (NAMES: only these):
#                         the tables of docs/measurements.md, in 15 minutes
# make quality TRACES=DIR [GROUPS=FILE] [CONFIG=FILE] [FLAT=DEG]   right, late and wrong decisions over a folder of recordings with a
#                         reference gravity, what a person notices of them, and how long wrong states live; then the daemon's rule and those
#                         of other systems in simulated postures of people with tablets. FLAT: a screen that rises by less than so many
#                         degrees above the table lies flat, 22 without it
# make quality TRACES=DIR WORSE="--hertz 5 --lost 20"   the first two for what a worse sensor would have read, or in other attitudes
# make recordings DIR=DIR   fetch public recordings, and convert them into a new folder for make quality; they have other licences
# make docs               DocC pages of the libraries Orientation and OrientationClient, in .build-docs/html
# make picture            the pictures of README again: docs/monitor.svg from a session with the simulated tablet, docs/phosh.png from the
#                         test with phosh
# make screenshot         docs/rotating-picture.png again, from a session of the example with the simulated tablet
# make fuzz SECONDS=N [TARGET=name]   libFuzzer on every parser and on the message handlers, N seconds each
# make test-asan, test-tsan   unit and service tests under AddressSanitizer, ThreadSanitizer
# make leaks              valgrind over 10 and 1,000 Begin/End cycles
# make dfuzz SECONDS=N    random calls to all members of the running daemon, as another user
# make install            install into $(DESTDIR)$(PREFIX)
# make install-settings   install the window, after make settings
# make install-sensor-proxy   install the files that replace iio-sensor-proxy, which must not be installed
# make deb                the Debian packages, in .build-deb
# make deb-arm64          those for Debian 13 on arm64, cross-built with the Swift toolchain of Debian's unstable release, in
#                         .build-arm64/deb; needs root
# make lint-deb           check the packages with lintian
# make dist [DEBS=FOLDERS]   the tarballs of a release, recipes for other distributions, and checksums, in .build-dist; DEBS: folders of
#                         Debian packages, one for each processor
# make release [ARCHITECTURES=amd64]   all of a release from a clean clone of the last commit, in .build-release/files: packages for amd64
#                         and arm64 (which needs root), tarballs, recipes, what they consist of (SPDX), checksums of all; the commit must
#                         have the tag of its version, unless UNTAGGED=yes
# make test-recipes [BUILD=yes]   build packages by these recipes, install and remove the binary tarball in a copy of this machine; with
#                         BUILD=yes, also build the source tarball without a network; needs root
# make test-reproducible  build the packages twice, in two folders: all files of a release must be identical
# make lint               format, shell, man page, licence and room checks
#
# For packagers: `make programs` builds what `make install` installs, and installs no packages; PREFIX, DESTDIR, SWIFT, SWIFTFLAGS
# (debian/rules has those for reproducible builds), JOBS=N, libexecdir, unitdir, rulesdir, zshcompletiondir; INIH=shared; FULL_SWIFT=yes
# for a toolchain without Embedded Swift. packaging/README.md has what it needs to run.
#
# Each target installs the packages that it needs (apt), except the Swift toolchain. If a package is missing, it first prints
# which one, and the command that root runs, and then runs it with sudo. With NO_INSTALL=yes it prints this and stops.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# Additional options of `swift build` for the installed programs.
SWIFTFLAGS ?=
swift_jobs = $(if $(JOBS),--jobs $(JOBS))

bindir = $(PREFIX)/bin
libexecdir = $(PREFIX)/libexec
unitdir = $(PREFIX)/lib/systemd/system
userunitdir = $(PREFIX)/lib/systemd/user
sysusersdir = $(PREFIX)/lib/sysusers.d
rulesdir = $(PREFIX)/lib/udev/rules.d
configdir = $(PREFIX)/lib
dbusdir = $(PREFIX)/share/dbus-1
# D-Bus and polkit read these files in two places only.
local = $(filter /usr/local,$(PREFIX))
policydir = $(if $(local),/etc/dbus-1,$(dbusdir))/system.d
polkitdir = $(if $(local),/usr,$(PREFIX))/share/polkit-1/actions
# A removed package iio-sensor-proxy leaves a file of the second name in that folder of /etc.
proxypolicy = $(if $(local),orientationd-sensor-proxy,net.hadess.SensorProxy).conf
includedir = $(PREFIX)/include
mandir = $(PREFIX)/share/man
docdir = $(PREFIX)/share/doc/orientationd
bashcompletiondir = $(PREFIX)/share/bash-completion/completions
# Debian's zsh reads the completions of packages from vendor-completions: debian/rules sets it.
zshcompletiondir = $(PREFIX)/share/zsh/site-functions
fishcompletiondir = $(PREFIX)/share/fish/vendor_completions.d

# Debian calls the library libinih.so.1, all other distributions libinih.so.0 (as its authors do). With the static one, the same
# programs run on all of them. If there is none, as on some distributions, or with INIH=shared, the shared one is linked.
INIH ?= $(shell pkg-config --variable=libdir inih 2>/dev/null)/libinih.a
ifneq ($(wildcard $(INIH)),)
programs: export INIH_ARCHIVE := $(INIH)
endif

# A source tarball has the sources of the only dependency, so that it builds without a network.
ifeq ($(wildcard .git),)
ifneq ($(wildcard swift-argument-parser/Package.swift),)
export SWIFT_ARGUMENT_PARSER ?= $(CURDIR)/swift-argument-parser
endif
endif

# lld, because other linkers warn about functions that Foundation's library never calls.
build_release = $(SWIFT) build --quiet -c release --static-swift-stdlib -Xswiftc -use-ld=lld
# For size, 5 MB of which are Swift's own library: without Foundation (packaging/swift-argument-parser.patch, in the packages), names for
# libraries that are loaded later, and tables for C++ exceptions.
link_tool = --disable-local-rpath $(addprefix -Xswiftc ,-Osize -DARGUMENT_PARSER_NO_FOUNDATION) \
  $(addprefix -Xlinker ,--icf=all -znow -zpack-relative-relocs --no-export-dynamic) -Xlinker "$(CURDIR)"/packaging/orientationctl.ld
daemon = .build-daemon/orientationd
tool = .build/release/orientationctl
waybar = .build-daemon/orientationctl-waybar
# The other one, for X sessions, is beside it: $(follower)-x.
follower = .build-daemon/orientationctl-follow
desktop_lock = .build-daemon/orientationctl-desktop-lock
settings = .build/release/orientation-settings
completions = .build/completions

# Package.swift has the programs that need libraries of desktops only with this.
export ORIENTATIOND_WAYLAND = yes

.PHONY: fuzz test-asan test-tsan leaks dfuzz
.PHONY: release all build programs daemon-program tool-programs settings settings-program install-settings test-settings test test-peer test-shell test-follow test-lock test-generators test-waybar test-hostile test-client docs test-vm vm-image test-platforms test-sid soak bench growth quality recordings picture screenshot run clone install install-sensor-proxy deb deb-arm64 toolchain-arm64 lint-deb test-reproducible dist dist-arm64 test-recipes lint clean build-dependencies

all: build

build-dependencies:
	@scripts/dependencies build
	@scripts/wayland-code

build: build-dependencies
	@$(MAKE) --no-print-directory programs

# The same without installing dependencies: the packages are built this way.
programs:
	@scripts/wayland-code
	@$(MAKE) --no-print-directory --jobs=$(or $(JOBS),2) daemon-program tool-programs
	@cp --remove-destination $(waybar) $(follower) $(follower)-x $(dir $(tool))
	@scripts/completions $(tool) $(completions)

# Side by side: each uses little more than one processor.
daemon-program:
	@scripts/build-daemon $(SWIFT) $(swift_jobs) $(SWIFTFLAGS)

tool-programs:
	@$(build_release) $(link_tool) $(swift_jobs) $(SWIFTFLAGS) --product orientationctl

settings: build-dependencies
	@scripts/dependencies settings
	@$(MAKE) --no-print-directory settings-program

# The same without installing dependencies, as with `programs'.
settings-program:
	@ORIENTATIOND_GTK=yes $(build_release) $(link_tool) $(swift_jobs) $(SWIFTFLAGS) --product orientation-settings

# Programs of other languages and windows come last: an error of our own is known before their packages are installed.
test: build-dependencies
	@scripts/dependencies suite
	@scripts/build-tests $(SWIFT)
ifneq ($(ONLY),)
	@scripts/run-tests $(SWIFT) --filter "$(ONLY)"
else
	@scripts/run-tests $(SWIFT) own
	@scripts/dependencies test
	@scripts/run-tests $(SWIFT) others
endif

test-peer: build-dependencies
	@scripts/dependencies peer
	@$(SWIFT) build --quiet --product orientationd
	@scripts/peer-source $(CURDIR)/.build-peer
	Tests/System/peer/run .build-peer .build/debug/orientationd

test-shell: build
ifeq ($(TREE),)
	@scripts/dependencies shell
	Tests/System/shell/run $(daemon) $(tool) $(KEEP)
else
	@scripts/dependencies shell-tree
	Tests/System/shell/in-tree "$(TREE)" $(daemon) $(tool) $(KEEP)
endif

test-waybar: build
	@scripts/dependencies waybar
	scripts/test-waybar $(daemon) $(tool) $(KEEP)

test-follow: build
	@scripts/dependencies follow
	$(if $(TREE),@scripts/dependencies follow-tree && Tests/System/follow/tree "$(TREE)")
	Tests/System/follow/run $(daemon) $(tool) $(if $(KEEP),--keep "$(KEEP)") $(if $(TREE),--tree "$(TREE)")

test-lock: build
	@scripts/dependencies lock
	Tests/System/lock/run $(daemon) $(tool)

test-settings: build settings
	@scripts/dependencies test-settings
	Tests/System/settings/run $(daemon) $(tool) $(settings) $(KEEP)

test-generators:
	@scripts/dependencies generators
	Tests/System/generators/run data/*.xml

# On the second bus, the fuzz takes half the time.
test-hostile: build
	@scripts/dependencies hostile
	Tests/System/Hostile/run $(daemon) $(tool) --seconds $(or $(SECONDS),60) $(if $(SEED),--seed $(SEED))

test-client: build-dependencies
	@scripts/dependencies client
	$(SWIFT) build --quiet --product orientationd
	$(SWIFT) build --quiet --package-path examples/swift --scratch-path .build-client
	scripts/test-swift-example .build-client/debug .build/debug/orientationd

docs: build-dependencies
	@scripts/docs $(SWIFT)

# For arm64, the packages and the tarball are those of `make deb-arm64`.
vm_dist = $(if $(filter arm64,$(ARCH)),dist-arm64,dist)
vm_debs = $(if $(filter arm64,$(ARCH)),.build-arm64/deb,.build-deb)
vm_tarball = $(if $(filter arm64,$(ARCH)),.build-arm64/dist/orientationd-*-linux-aarch64.tar.xz,.build-dist/orientationd-*-linux-$$(uname -m).tar.xz)

test-vm: $(vm_dist)
	ARCH=$(ARCH) Tests/System/vm/run $(addprefix $(vm_debs)/,orientationd_*.deb orientationctl_*.deb orientationctl-follow_*.deb orientationd-sensor-proxy_*.deb) \
	  $(vm_tarball) $(TESTS)

vm-image:
	ARCH=$(ARCH) Tests/System/vm/run --image-only

test-platforms:
	@$(MAKE) --no-print-directory test-reproducible
	@$(MAKE) --no-print-directory test-vm SUITE=trixie
	@$(MAKE) --no-print-directory test-vm SUITE=trixie TESTS="tests bus=dbus-broker"
	@$(MAKE) --no-print-directory test-vm SUITE=trixie ARCH=arm64 TESTS=core
	@$(MAKE) --no-print-directory test-sid
	@$(MAKE) --no-print-directory test-settings

test-sid:
	@scripts/dependencies sid
	@scripts/test-sid

fuzz: build-dependencies
	@scripts/fuzz $(SWIFT) $(or $(SECONDS),60) $(TARGET)

test-asan test-tsan: build-dependencies
	@scripts/dependencies test
	@scripts/test-sanitized $(SWIFT) $(if $(filter %-asan,$@),address,thread)

leaks: build
	@scripts/dependencies leaks
	Tests/System/Fuzz/bus/leaks.py $(daemon)

dfuzz: build
	@scripts/dependencies dfuzz
	Tests/System/Fuzz/bus/dfuzz.py $(daemon) $(or $(SECONDS),60)

soak: deb
	@test -n "$(HOURS)" || { echo "make soak: set the duration: make soak HOURS=1, or HOURS=0.2" >&2; exit 2; }
	Tests/System/vm/run .build-deb/orientationd_*.deb .build-deb/orientationctl_*.deb --soak $(HOURS) $(if $(SEED),--seed $(SEED))

bench: build-dependencies
	@scripts/dependencies bench
	@$(build_release) --product hot-loop
	Benchmarks/run .build/release/hot-loop

growth: build
	@scripts/dependencies growth
	Benchmarks/growth/growth.py $(daemon) $(ONLY)

quality: quality_options = $(if $(GROUPS),--groups "$(GROUPS)") $(if $(CONFIG),--config "$(CONFIG)") $(if $(FLAT),--flat "$(FLAT)")
quality: build-dependencies
	@scripts/dependencies quality
	@test -n "$(TRACES)" || { echo "make quality: set the folder of the recordings: make quality TRACES=DIR" >&2; exit 2; }
	@$(MAKE) --no-print-directory tool-programs
	Benchmarks/quality/score.py $(tool) "$(TRACES)" $(quality_options) $(WORSE)
# How long wrong states live is measured only in the recordings as they are, and simulated postures do not depend on them.
ifeq ($(WORSE),)
	@$(build_release) --product wrong-states
	Benchmarks/quality/wrong_states.py $(dir $(tool))wrong-states "$(TRACES)" $(quality_options)
	Benchmarks/postures/postures.py $(tool) $(if $(CONFIG),--config "$(CONFIG)")
endif

recordings:
	@scripts/dependencies recordings
	@test -n "$(DIR)" || { echo "make recordings: set the new folder for them: make recordings DIR=DIR" >&2; exit 2; }
	@scripts/recordings "$(DIR)"

picture: build
	@scripts/dependencies picture
	docs/picture.py $(daemon) docs/monitor.svg
	docs/phosh.py $(daemon) $(tool) docs/phosh.png

screenshot: build
	@scripts/dependencies screenshot
	docs/screenshot.py $(daemon) docs/rotating-picture.png

# Built for debugging, which takes a fifth of the time; the tests use the same.
run: build-dependencies
	@scripts/dependencies run
	@test -x .build/debug/orientationctl || echo "Building daemon and tool without optimization: a minute or two, once."
	@$(SWIFT) build --product orientationd
	@$(SWIFT) build --product orientationctl
	@PICTURE=$(PICTURE) scripts/try-out .build/debug/orientationd .build/debug/orientationctl $(SECONDS)

install:
	@test -x "$(daemon)" && test -x "$(tool)" && test -x "$(waybar)" && test -x "$(follower)" && test -x "$(follower)"-x && test -x "$(desktop_lock)" && test -d "$(completions)" || { echo "make install: run 'make' first, as the user who builds" >&2; exit 1; }
	install -D -m 755 "$(daemon)" "$(DESTDIR)"$(libexecdir)/orientationd
	install -D -m 755 "$(tool)" "$(DESTDIR)"$(bindir)/orientationctl
	install -D -m 755 "$(waybar)" "$(DESTDIR)"$(libexecdir)/orientationctl-waybar
	install -D -m 755 "$(follower)" "$(DESTDIR)"$(libexecdir)/orientationctl-follow
	install -D -m 755 "$(follower)"-x "$(DESTDIR)"$(libexecdir)/orientationctl-follow-x
	install -D -m 755 "$(desktop_lock)" "$(DESTDIR)"$(libexecdir)/orientationctl-desktop-lock
	install -d "$(DESTDIR)"$(unitdir) "$(DESTDIR)"$(userunitdir) "$(DESTDIR)"$(dbusdir)/system-services
	sed 's|@bindir@|$(bindir)|' systemd/orientationctl-follow.service.in >"$(DESTDIR)"$(userunitdir)/orientationctl-follow.service
	sed 's|@libexecdir@|$(libexecdir)|' systemd/orientationctl-desktop-lock.service.in \
	  >"$(DESTDIR)"$(userunitdir)/orientationctl-desktop-lock.service
	chmod 644 "$(DESTDIR)"$(userunitdir)/orientationctl-follow.service "$(DESTDIR)"$(userunitdir)/orientationctl-desktop-lock.service
	install -D -m 644 systemd/orientationctl-desktop-lock.conf \
	  "$(DESTDIR)"$(userunitdir)/graphical-session.target.d/50-orientationctl-desktop-lock.conf
	sed 's|@libexecdir@|$(libexecdir)|' systemd/orientationd.service.in >"$(DESTDIR)"$(unitdir)/orientationd.service
	install -m 644 systemd/orientationd-motion.socket "$(DESTDIR)"$(unitdir)/orientationd-motion.socket
	sed 's|@libexecdir@|$(libexecdir)|' data/org.orientationd1.service.in \
	  >"$(DESTDIR)"$(dbusdir)/system-services/org.orientationd1.service
	chmod 644 "$(DESTDIR)"$(unitdir)/orientationd.service \
	  "$(DESTDIR)"$(dbusdir)/system-services/org.orientationd1.service
	install -D -m 644 systemd/orientationd.sysusers "$(DESTDIR)"$(sysusersdir)/orientationd.conf
	install -d "$(DESTDIR)"$(rulesdir)
	sed 's|@libexecdir@|$(libexecdir)|' systemd/60-orientationd.rules.in >"$(DESTDIR)"$(rulesdir)/60-orientationd.rules
	chmod 644 "$(DESTDIR)"$(rulesdir)/60-orientationd.rules
	install -D -m 644 data/orientationd.conf "$(DESTDIR)"$(configdir)/orientationd.conf
	install -D -m 644 data/org.orientationd1.conf "$(DESTDIR)"$(policydir)/org.orientationd1.conf
	install -D -m 644 data/org.orientationd1.policy "$(DESTDIR)"$(polkitdir)/org.orientationd1.policy
	install -d "$(DESTDIR)"$(dbusdir)/interfaces
	install -m 644 data/org.orientationd1.Device.xml data/org.orientationd1.Screen.xml data/org.orientationd1.Sensor.xml "$(DESTDIR)"$(dbusdir)/interfaces
	install -D -m 644 data/man/orientationd.8 "$(DESTDIR)"$(mandir)/man8/orientationd.8
	install -D -m 644 data/man/orientationctl-desktop-lock.8 "$(DESTDIR)"$(mandir)/man8/orientationctl-desktop-lock.8
	install -D -m 644 data/man/orientationd.conf.5 "$(DESTDIR)"$(mandir)/man5/orientationd.conf.5
	install -D -m 644 data/man/org.orientationd1.5 "$(DESTDIR)"$(mandir)/man5/org.orientationd1.5
	install -D -m 644 data/man/orientationd-motion.5 "$(DESTDIR)"$(mandir)/man5/orientationd-motion.5
	install -D -m 644 data/include/orientationd-motion.h "$(DESTDIR)"$(includedir)/orientationd-motion.h
	install -D -m 644 data/man/orientationctl.1 "$(DESTDIR)"$(mandir)/man1/orientationctl.1
	install -D -m 644 -t "$(DESTDIR)"$(docdir) CONTRIBUTING.md MIGRATING.md
	for file in $$(find examples -type f ! -path '*/.*' ! -path '*/__pycache__/*' ! -name Package.resolved); do \
	  install -D -m 644 $$file "$(DESTDIR)"$(docdir)/$$file || exit; done
	install -D -m 644 "$(completions)"/orientationctl.bash "$(DESTDIR)"$(bashcompletiondir)/orientationctl
	install -D -m 644 "$(completions)"/orientationctl.zsh "$(DESTDIR)"$(zshcompletiondir)/_orientationctl
	install -D -m 644 "$(completions)"/orientationctl.fish "$(DESTDIR)"$(fishcompletiondir)/orientationctl.fish

install-settings:
	@test -x "$(settings)" || { echo "make install-settings: run 'make settings' first, as the user who builds" >&2; exit 1; }
	install -D -m 755 "$(settings)" "$(DESTDIR)"$(bindir)/orientation-settings
	install -D -m 644 data/man/orientation-settings.1 "$(DESTDIR)"$(mandir)/man1/orientation-settings.1
	install -D -m 644 -t "$(DESTDIR)"$(PREFIX)/share/applications data/settings/org.orientationd1.Settings.desktop
	install -D -m 644 -t "$(DESTDIR)"$(PREFIX)/share/metainfo data/settings/org.orientationd1.Settings.metainfo.xml
	install -D -m 644 -t "$(DESTDIR)"$(PREFIX)/share/icons/hicolor/scalable/apps data/settings/org.orientationd1.Settings.svg
	install -D -m 644 -t "$(DESTDIR)"$(PREFIX)/share/icons/hicolor/symbolic/apps data/settings/org.orientationd1.Settings-symbolic.svg

# They take their list of files from Git.
clone:
	@test -e .git || { echo "make deb, make dist: they need a clone with Git; a source tarball has \`make' and \`make install'" >&2; exit 1; }

deb: clone
	@scripts/dependencies package
	@scripts/build-packages

# It does not install the dependencies of the build here, but in its chroot.
deb-arm64: toolchain-arm64
	@ARCH=arm64 scripts/build-packages

toolchain-arm64:
	@scripts/dependencies arm64
	@scripts/arm64-programs
	@scripts/arm64-toolchain

# lintian also has notes about the parts of Swift's library in the programs (its texts, and its C code that others have built).
# They are not shown.
lint-deb: deb
	lintian --pedantic --fail-on error,warning,pedantic --tag-display-limit 0 .build-deb/*.changes

DEBS ?= .build-deb
dist: clone $(if $(filter .build-deb,$(DEBS)),deb)
	@scripts/dist $(DEBS)

dist-arm64: deb-arm64
	@DIST=.build-arm64/dist scripts/dist .build-arm64/deb

# ARCHITECTURES: some of amd64 and arm64.
release: clone
	@scripts/release $(ARCHITECTURES)

test-recipes: dist
	@scripts/dependencies recipes
	BUILD=$(BUILD) scripts/test-recipes .build-dist

# Both run at the same time, because a build uses little more than one processor; but they do not start in the same second.
test-reproducible:
	@scripts/dependencies package
	@scripts/vendor-dependencies
	@rm -rf .build-deb-again
	@scripts/build-packages & first=$$!; sleep 3; \
	  (umask 077; TZ=Asia/Tokyo LC_ALL=C.UTF-8 scripts/build-packages ".build-deb-again/at another place"); second=$$?; \
  wait $$first && exit $$second
	scripts/release-files .build-deb-again/first .build-deb
	umask 077; TZ=Asia/Tokyo DIST=.build-deb-again/dist scripts/release-files .build-deb-again/second ".build-deb-again/at another place"
	diff -r .build-deb-again/first .build-deb-again/second
	cat .build-deb-again/first/SHA256SUMS

# The name of the drop-in sorts before the administrator's drop-ins, so that theirs override it.
install-sensor-proxy:
	install -d "$(DESTDIR)"$(dbusdir)/system-services
	sed 's|@libexecdir@|$(libexecdir)|' data/sensor-proxy/net.hadess.SensorProxy.service.in \
	  >"$(DESTDIR)"$(dbusdir)/system-services/net.hadess.SensorProxy.service
	chmod 644 "$(DESTDIR)"$(dbusdir)/system-services/net.hadess.SensorProxy.service
	install -D -m 644 data/sensor-proxy/net.hadess.SensorProxy.conf "$(DESTDIR)"$(policydir)/$(proxypolicy)
	install -D -m 644 data/sensor-proxy/net.hadess.SensorProxy.policy "$(DESTDIR)"$(polkitdir)/net.hadess.SensorProxy.policy
	install -D -m 644 data/sensor-proxy/orientationd.conf "$(DESTDIR)"$(configdir)/orientationd.conf.d/10-sensor-proxy.conf
	install -D -m 644 systemd/60-orientationd-sensor-proxy.rules "$(DESTDIR)"$(rulesdir)/60-orientationd-sensor-proxy.rules
	install -D -m 644 data/man/net.hadess.SensorProxy.5 "$(DESTDIR)"$(mandir)/man5/net.hadess.SensorProxy.5
	install -d "$(DESTDIR)"$(dbusdir)/interfaces
	install -m 644 data/net.hadess.SensorProxy.xml data/net.hadess.SensorProxy.Compass.xml "$(DESTDIR)"$(dbusdir)/interfaces

lint: build-dependencies
	@scripts/dependencies lint
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Benchmarks
	shellcheck $(filter-out scripts/check-rooms scripts/check-rules scripts/recordings scripts/sbom scripts/test-recipes scripts/test-rooms scripts/test-run-tests,$(wildcard scripts/*)) packaging/tarball/install Benchmarks/run .ci/run Tests/System/follow/tree Tests/System/vm/image/build Tests/System/vm/image/customize \
	  Tests/System/vm/image/initramfs-init Tests/System/vm/guest/start
	shellcheck --shell=sh packaging/arch/*.install
	shellcheck -x debian/*.postinst debian/*.postrm debian/*.prerm $(addprefix debian/tests/,build-client compiled-client replay replayed-sensor sensor-proxy)
	pyflakes3 docs examples scripts/check-rooms scripts/check-rules scripts/recordings scripts/sbom scripts/test-recipes scripts/test-rooms scripts/test-run-tests Tests/System/standstill.py Tests/Support/MockPolkit Tests/Support/WindowDriver $(addprefix Tests/System/,vm/run vm peer/run peer shell/run shell follow/run follow lock/run lock settings/run settings generators/run generators Hostile/run \
	  Hostile Fuzz/bus) Benchmarks/quality Benchmarks/postures Benchmarks/recordings Benchmarks/growth
	scripts/check-manual-pages data/man/*
	desktop-file-validate data/settings/*.desktop
	appstreamcli validate --no-net --explain data/settings/*.metainfo.xml
	xmllint --noout --nonet data/*.xml data/settings/*.svg data/org.orientationd1.conf data/sensor-proxy/net.hadess.SensorProxy.conf docs/*.svg
	xmllint --noout --nonet --dtdvalid /usr/share/wayland/wayland.dtd Sources/CWayland/*.xml
	xmllint --noout --nonet --dtdvalid /usr/share/polkit-1/policyconfig-1.dtd data/org.orientationd1.policy \
	  data/sensor-proxy/net.hadess.SensorProxy.policy
	scripts/check-licences
	scripts/check-version
	scripts/test-rooms
	scripts/test-run-tests
	scripts/check-rooms
	scripts/check-rules
	scripts/check-unit
	Benchmarks/recordings/test_recordings.py

clean:
	rm -rf .build .build-* Sources/CWayland/wlr-output-management.c Sources/CWayland/include/wlr-output-management.h
