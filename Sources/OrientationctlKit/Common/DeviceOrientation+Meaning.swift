// SPDX-License-Identifier: Apache-2.0

import Orientation

extension DeviceOrientation {
  /// The name with its meaning, for people: "landscapeLeft, right edge up".
  var nameWithMeaning: String { meaning.map { "\(name), \($0)" } ?? name }

  /// What the name means, for people; nil for unknown.
  var meaning: String? {
    switch self {
    case .unknown: nil
    case .portrait: "top edge up"
    case .portraitUpsideDown: "top edge down"
    case .landscapeLeft: "right edge up"
    case .landscapeRight: "left edge up"
    case .faceUp: "screen up"
    case .faceDown: "screen down"
    }
  }
}
