// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orientation

/// An interface orientation, or one of UIKit's names for several, on the command line.
enum OrientationSetName: String, CaseIterable, ExpressibleByArgument {
  case portrait
  case portraitUpsideDown
  case landscapeLeft
  case landscapeRight
  case landscape
  case all
  case allButUpsideDown

  /// The orientations that the name means.
  var orientations: InterfaceOrientationMask {
    switch self {
    case .landscape: .landscape
    case .all: .all
    case .allButUpsideDown: .allButUpsideDown
    default: InterfaceOrientationMask(InterfaceOrientation(name: rawValue) ?? .unknown)
    }
  }
}

extension InterfaceOrientationMask {
  /// All orientations that any of the names means.
  init(_ names: [OrientationSetName]) {
    self = names.reduce(into: []) { $0.formUnion($1.orientations) }
  }
}
