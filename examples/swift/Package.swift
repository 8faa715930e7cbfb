// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let client = Target.Dependency.product(name: "OrientationClient", package: "orientationd")

let package = Package(
  name: "which-way-up",
  // In an app of your own: where you have cloned orientationd, or the address that you cloned it from.
  dependencies: [.package(name: "orientationd", path: "../..")],
  targets: [
    .executableTarget(name: "which-way-up", dependencies: [client]),
    .executableTarget(name: "film", dependencies: [client]),
  ]
)
