// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of another project that depends on this one: `make test-client` builds and runs it.
let package = Package(
  name: "client",
  dependencies: [.package(name: "orientationd", path: "../../..")],
  targets: [
    .executableTarget(
      name: "client",
      dependencies: [
        .product(name: "Orientation", package: "orientationd"),
        .product(name: "OrientationClient", package: "orientationd"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
