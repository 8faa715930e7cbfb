// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The arrows between targets point one way:
//   orientationd -> OrientationService -> { SensorSetup -> { IIO, Systemd }, Evdev, IIO -> { Evdev, Orientation }, Systemd }
//   orientationctl -> OrientationctlKit -> { Monitoring -> Following, OrientationClient -> DaemonClient -> { Orientation, Systemd }, SensorSetup, Evdev, IIO }
//   OrientationClientTesting -> OrientationClient, for the tests of apps
//   orientationctl-waybar -> Monitoring -> Following
//   orientationctl-follow -> WaylandOutputs -> Following -> DaemonClient
//   orientationctl-follow-x -> XOutputs -> Following -> DaemonClient
//   orientationctl-desktop-lock -> DesktopLock
// Orientation imports none of these; Evdev and Systemd know nothing of orientations.

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

// The daemon is shipped in Embedded Swift, which links in nothing but what is used: its code takes 1.2 MB instead of
// 5. So are the programs that run as long as a session. Tests and orientationctl are built as usual, from the same sources.
// scripts/build-daemon sets the variable, which names the toolchain's folder of libraries for Embedded Swift.
let embeddedLibraries = Context.environment["EMBEDDED_SWIFT_LIBRARIES"]
let daemon = strict + (embeddedLibraries == nil ? [] : [.enableExperimentalFeature("Embedded")])
// Code that does not run for each sample is compiled for size: half as much (0.9 MB instead of 1.9 when that was chosen). What
// reads samples is, too: the hot loop has one instruction more by that. SwiftPM refuses the option in packages that another
// package depends on, so apps never see it.
let small = daemon + (embeddedLibraries == nil ? [] : [.unsafeFlags(["-Osize"])])
let daemonLinking: [LinkerSetting] =
  embeddedLibraries.map { folder in
    [
      .linkedLibrary("swiftUnicodeDataTables"),
      .unsafeFlags(["-L\(folder)", "-use-ld=lld"]),
      .unsafeFlags(
        // The compiler places linked libraries before these, so that they are needed whether or not they are used.
        ["--icf=all", "-znow", "-zpack-relative-relocs", "--as-needed", "-lm"].flatMap { ["-Xlinker", $0] }),
    ]
  } ?? []

// In place of what is wrong in the library of Embedded Swift.
let embeddedRuntime: [Target.Dependency] = embeddedLibraries == nil ? [] : ["CEmbeddedRuntime"]
let daemonDependencies: [Target.Dependency] =
  ["CLinux", "OrientationService", "SensorSetup", "Systemd"] + embeddedRuntime

// The static library, whose shared one has another name on Debian than elsewhere: `make programs` sets the variable.
let inihArchive = Context.environment["INIH_ARCHIVE"]

// `make` sets the variable after it has installed the libraries of Wayland, X11 and GLib, and has made the C code of Sources/CWayland
// (scripts/wayland-code). Without it, `swift build` builds everything but the programs for sessions: the one that turns the screens of
// Wayland compositors, and the one that keeps GNOME's lock. So a package that depends on this one never needs these libraries.
let wayland = Context.environment["ORIENTATIOND_WAYLAND"] != nil

// The same for the window, which needs GTK 4 and libadwaita.
let gtk = Context.environment["ORIENTATIOND_GTK"] != nil

// One version, so that a clean clone builds the same tomorrow; scripts/vendor-dependencies has the same one for packages.
// Where packages are built there is no network: debian/rules sets the variable, to the folder that holds the sources.
let argumentParser: Package.Dependency =
  Context.environment["SWIFT_ARGUMENT_PARSER"].map { .package(name: "swift-argument-parser", path: $0) }
  ?? .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")

let package = Package(
  name: "orientationd",
  products: [
    .executable(name: "orientationd", targets: ["orientationd"]),
    .executable(name: "orientationctl", targets: ["orientationctl"]),
    // For apps that follow the daemon.
    .library(name: "OrientationClient", targets: ["OrientationClient"]),
    // A screen for the tests of such apps.
    .library(name: "OrientationClientTesting", targets: ["OrientationClientTesting"]),
    // For tests only: loaded before umockdev's library into the daemon.
    .library(name: "driver-faults", type: .dynamic, targets: ["CDriverFaults"]),
  ],
  dependencies: [argumentParser],
  targets: [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CIIO", providers: [.apt(["libiio-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(
      name: "CINI", pkgConfig: inihArchive == nil ? "inih" : nil, providers: [.apt(["libinih-dev"])]),
    // For tests only: the C header of the motion socket.
    .systemLibrary(name: "CMotionProtocol", path: "data/include"),
    // For tests only: mock devices, and errors that those do not give.
    .systemLibrary(
      name: "CUMockdev", pkgConfig: "umockdev-1.0", providers: [.apt(["libumockdev-dev"])]),
    .target(
      name: "MockDevices", dependencies: ["CUMockdev"], path: "Tests/Support/MockDevices",
      swiftSettings: strict),
    .systemLibrary(name: "CProcess", path: "Tests/Support/CProcess"),
    // For tests only: folders, programs and buses that last as long as their test; poses, and seeded noise.
    .target(
      name: "TestSupport", dependencies: ["CProcess", "CSystemd", "Orientation", "Systemd"],
      path: "Tests/Support/TestSupport",
      swiftSettings: strict),
    .target(name: "CFaults", path: "Tests/Support/CFaults", linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "CDriverFaults", path: "Tests/Support/CDriverFaults", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CMockInput", path: "Tests/Support/CMockInput", linkerSettings: [.linkedLibrary("dl")]),

    // An app that imports no Glibc links no mathematics either.
    .target(
      name: "Orientation", dependencies: embeddedLibraries == nil ? [] : ["CLinux"], swiftSettings: daemon,
      linkerSettings: embeddedLibraries == nil ? [.linkedLibrary("m")] : []),
    .target(name: "Evdev", dependencies: ["CLinux"], swiftSettings: small),
    .target(name: "IIO", dependencies: ["CIIO", "CLinux", "Evdev", "Orientation"], swiftSettings: small),
    .target(name: "Systemd", dependencies: ["CLinux", "CSystemd"], swiftSettings: small),
    .target(
      name: "SensorSetup", dependencies: ["CINI", "CLinux", "Evdev", "IIO", "Orientation", "Systemd"],
      swiftSettings: small,
      linkerSettings: [inihArchive.map { .unsafeFlags(["-Xlinker", $0]) } ?? .linkedLibrary("inih")]),
    .target(
      name: "OrientationService",
      dependencies: ["CLinux", "Evdev", "IIO", "Orientation", "SensorSetup", "Systemd"],
      swiftSettings: small),
    .executableTarget(
      name: "orientationd", dependencies: daemonDependencies,
      swiftSettings: small,
      linkerSettings: daemonLinking),
    // The conversation with the daemon, for an event loop.
    .target(name: "DaemonClient", dependencies: ["Orientation", "Systemd"], swiftSettings: small),
    .target(
      name: "OrientationClient", dependencies: ["CLinux", "DaemonClient", "Orientation", "Systemd"],
      swiftSettings: strict),
    .target(
      name: "OrientationClientTesting", dependencies: ["Orientation", "OrientationClient"],
      swiftSettings: strict),
    .executableTarget(
      name: "orientationctl", dependencies: ["OrientationctlKit"], swiftSettings: strict),
    // All of orientationctl but its first call, so that tests can import it.
    .target(
      name: "OrientationctlKit",
      dependencies: [
        "CLinux", "DaemonClient", "Evdev", "Following", "IIO", "Monitoring", "Orientation",
        "OrientationClient", "SensorSetup", "Systemd", "TabletPicture",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    // The tablet as pictures show it, for a terminal and for a window.
    .target(
      name: "TabletPicture", dependencies: ["Orientation", "OrientationClient"], swiftSettings: strict),
    // What `orientationctl follow` does, but for the ways to reach a desktop's outputs.
    .target(
      name: "Following", dependencies: ["CLinux", "DaemonClient", "Orientation", "Systemd"],
      swiftSettings: small
    ),
    // What `orientationctl monitor` does, but for what only the command line needs.
    .target(
      name: "Monitoring", dependencies: ["CLinux", "DaemonClient", "Following", "Orientation", "Systemd"],
      swiftSettings: small),
    // What `orientationctl monitor --waybar` executes, which runs as long as the bar.
    .executableTarget(
      name: "orientationctl-waybar",
      dependencies: ["CLinux", "Following", "Monitoring", "Systemd"] + embeddedRuntime,
      swiftSettings: small, linkerSettings: daemonLinking),
    // When orientationctl-desktop-lock sets which lock.
    .target(name: "DesktopLock", swiftSettings: small),
    // What `make quality` shows of wrong states.
    .executableTarget(
      name: "wrong-states", dependencies: ["IIO", "Orientation", "OrientationService", "SensorSetup"],
      path: "Benchmarks/WrongStates", swiftSettings: strict),
    // What `make bench` counts.
    .executableTarget(
      name: "hot-loop", dependencies: ["IIO", "Orientation", "OrientationService", "SensorSetup"],
      path: "Benchmarks/HotLoop", swiftSettings: strict),

    .testTarget(
      name: "OrientationTests",
      dependencies: [
        "CMotionProtocol", "Orientation", "OrientationClient", "OrientationctlKit", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OrientationClientTests",
      dependencies: [
        "DaemonClient", "Orientation", "OrientationClient", "OrientationClientTesting", "Systemd",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FollowingTests",
      dependencies: ["CLinux", "DaemonClient", "Following", "Orientation", "Systemd", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "DesktopLockTests", dependencies: ["DesktopLock"], swiftSettings: strict),
    .testTarget(
      name: "IIOTests",
      dependencies: ["CFaults", "CLinux", "IIO", "MockDevices", "Orientation", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "EvdevTests", dependencies: ["CFaults", "CLinux", "CMockInput", "Evdev", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SystemdTests", dependencies: ["CLinux", "Systemd", "TestSupport", "systemd-test-helper"],
      swiftSettings: strict),
    // What must be tested in a process of its own: environment, standard error, umockdev's preload.
    .executableTarget(
      name: "systemd-test-helper", dependencies: ["Systemd"], path: "Tests/Support/SystemdTestHelper",
      swiftSettings: strict),
    .testTarget(
      name: "SensorSetupTests",
      dependencies: [
        "CLinux", "CMockInput", "IIO", "MockDevices", "Orientation", "SensorSetup", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OrientationServiceTests",
      dependencies: [
        "CFaults", "CLinux", "CMockInput", "Evdev", "IIO", "MockDevices", "Orientation", "OrientationService",
        "SensorSetup", "Systemd", "TestSupport", "state-test-helper",
      ],
      swiftSettings: strict),
    // What saves states in a process that can be killed, or that may write only so much.
    .executableTarget(
      name: "state-test-helper", dependencies: ["Orientation", "OrientationService"],
      path: "Tests/Support/StateTestHelper", swiftSettings: strict),
    // Clients that are killed, that are another user's, or that send without end.
    .executableTarget(
      name: "client-test-helper", dependencies: ["CProcess", "Orientation", "Systemd", "TestSupport"],
      path: "Tests/Support/ClientTestHelper",
      swiftSettings: strict),
    .testTarget(
      name: "orientationdTests",
      dependencies: [
        "orientationd", "orientationctl", "client-test-helper", "DaemonClient", "MockDevices", "Orientation",
        "OrientationClient", "OrientationService", "SensorSetup", "Systemd", "TestSupport",
      ],
      swiftSettings: strict),
    // calibrate, but that a pose is held still for a shorter time.
    .executableTarget(
      name: "calibrate-test-helper",
      dependencies: [
        "OrientationctlKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Support/CalibrateTestHelper", swiftSettings: strict),
    .testTarget(
      name: "orientationctlTests",
      dependencies: [
        "orientationd", "orientationctl", "orientationctl-waybar", "calibrate-test-helper", "DaemonClient",
        "Following", "IIO", "MockDevices", "Monitoring", "Orientation", "OrientationClient",
        "OrientationctlKit", "SensorSetup", "Systemd", "TabletPicture", "TestSupport",
      ],
      exclude: ["Picture/Frames"], swiftSettings: strict),

    // What reads others' texts and messages, and what must hold of it.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CLinux", "CSystemd", "Evdev", "IIO", "Orientation", "OrientationService", "OrientationctlKit",
        "SensorSetup", "Systemd",
      ],
      path: "Tests/System/Fuzz/Targets", swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], path: "Tests/System/Fuzz/Tests",
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// In statements of their own: the compiler of Swift 6.2 takes all targets in one expression for too complex to check.
if embeddedLibraries != nil { package.targets.append(.target(name: "CEmbeddedRuntime")) }
if wayland {
  package.targets += [
    .target(
      name: "CWayland", exclude: ["wlr-output-management.xml"],
      linkerSettings: [.linkedLibrary("wayland-client")]),
    .target(
      name: "WaylandOutputs",
      dependencies: ["CLinux", "CWayland", "Following", "Orientation", "Systemd"],
      swiftSettings: small),
    .systemLibrary(
      name: "CX11", pkgConfig: "xrandr xi x11",
      providers: [.apt(["libxrandr-dev", "libxi-dev", "libx11-dev"])]),
    .target(
      name: "XOutputs", dependencies: ["CLinux", "CX11", "Following", "Orientation", "Systemd"],
      swiftSettings: small),
    // Two programs, so that none has the libraries of the other kind of session.
    .executableTarget(
      name: "orientationctl-follow", dependencies: ["Following", "WaylandOutputs"] + embeddedRuntime,
      swiftSettings: small, linkerSettings: daemonLinking),
    .executableTarget(
      name: "orientationctl-follow-x", dependencies: ["Following", "XOutputs"] + embeddedRuntime,
      swiftSettings: small, linkerSettings: daemonLinking),
    .systemLibrary(name: "CGIO", pkgConfig: "gio-2.0", providers: [.apt(["libglib2.0-dev"])]),
    // What keeps the rotation lock of GNOME and phosh and the daemon's equal. It runs all the time, so it is built as the daemon is.
    .executableTarget(
      name: "orientationctl-desktop-lock",
      dependencies: ["CGIO", "CLinux", "DesktopLock"] + embeddedRuntime,
      swiftSettings: small,
      linkerSettings: daemonLinking),
    .testTarget(
      name: "XOutputsTests", dependencies: ["Following", "Orientation", "XOutputs"], swiftSettings: strict
    ),
  ]
}
if gtk {
  package.targets += [
    .systemLibrary(
      name: "CAdwaita", pkgConfig: "libadwaita-1",
      providers: [.apt(["libadwaita-1-dev", "libgtk-4-dev"])]),
    // GTK and libadwaita in Swift, as far as the window needs them.
    .target(name: "Adwaita", dependencies: ["CAdwaita", "OrientationClient"], swiftSettings: strict),
    .executableTarget(
      name: "orientation-settings",
      dependencies: [
        "Adwaita", "CAdwaita", "DaemonClient", "Orientation", "OrientationClient", "Systemd",
        "TabletPicture",
      ],
      swiftSettings: strict),
  ]
}
// Only libFuzzer has a main for it: `make fuzz`.
if Context.environment["ORIENTATIOND_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/System/Fuzz/Driver", swiftSettings: strict))
}
