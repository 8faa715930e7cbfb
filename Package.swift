// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The arrows between targets point one way:
//   orientationd -> OrientationService -> { IIO -> Orientation, Systemd }
// Orientation imports nothing; Systemd knows nothing of orientations.

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "orientationd",
  products: [
    .executable(name: "orientationd", targets: ["orientationd"]),
    .executable(name: "orientationctl", targets: ["orientationctl"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CIIO", pkgConfig: "libiio", providers: [.apt(["libiio-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CINI", pkgConfig: "inih", providers: [.apt(["libinih-dev"])]),
    // For tests only: mock devices, and errors that those do not give.
    .systemLibrary(
      name: "CUMockdev", pkgConfig: "umockdev-1.0", providers: [.apt(["libumockdev-dev"])]),
    .target(name: "CFaults", path: "Tests/CFaults", linkerSettings: [.linkedLibrary("dl")]),

    .target(name: "Orientation", swiftSettings: strict),
    .target(name: "IIO", dependencies: ["CIIO", "CLinux", "Orientation"], swiftSettings: strict),
    .target(name: "Systemd", dependencies: ["CSystemd"], swiftSettings: strict),
    .target(
      name: "OrientationService", dependencies: ["CINI", "IIO", "Orientation", "Systemd"],
      swiftSettings: strict),
    .executableTarget(
      name: "orientationd", dependencies: ["OrientationService"], swiftSettings: strict),
    .executableTarget(
      name: "orientationctl",
      dependencies: [
        "IIO", "Orientation", "OrientationService", "Systemd",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    // What `make plot` shows.
    .executableTarget(
      name: "explain", dependencies: ["IIO", "Orientation", "OrientationService"],
      path: "Benchmarks/Explain", swiftSettings: strict),
    // What `make bench` counts.
    .executableTarget(
      name: "hot-loop", dependencies: ["IIO", "Orientation", "OrientationService"],
      path: "Benchmarks/HotLoop", swiftSettings: strict),

    .testTarget(name: "OrientationTests", dependencies: ["Orientation"], swiftSettings: strict),
    .testTarget(
      name: "IIOTests", dependencies: ["CFaults", "CLinux", "CUMockdev", "IIO", "Orientation"],
      swiftSettings: strict),
    .testTarget(
      name: "SystemdTests", dependencies: ["Systemd", "systemd-test-helper"], swiftSettings: strict),
    // What must be tested in a process of its own: environment, standard error, umockdev's preload.
    .executableTarget(
      name: "systemd-test-helper", dependencies: ["Systemd"], path: "Tests/SystemdTestHelper",
      swiftSettings: strict),
    .testTarget(
      name: "OrientationServiceTests", dependencies: ["OrientationService"],
      swiftSettings: strict),
    .testTarget(
      name: "orientationdTests",
      dependencies: ["orientationd", "orientationctl", "Orientation", "Systemd"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
