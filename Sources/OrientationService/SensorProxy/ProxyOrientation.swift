// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Which edge of the panel is up, in iio-sensor-proxy's words: the values of its `AccelerometerOrientation`.
///
/// The edges are the panel's own: on a panel that is at home in landscape, "normal" is a device in landscapeLeft.
enum ProxyOrientation: String, CaseIterable, Sendable, BitwiseCopyable {
  /// Not known.
  case undefined
  /// The top edge.
  case normal
  /// The bottom edge.
  case bottomUp = "bottom-up"
  /// The left edge.
  case leftUp = "left-up"
  /// The right edge.
  case rightUp = "right-up"

  /// The edge at which a picture with a transform is upright.
  init(showing transform: OutputTransform) {
    switch transform {
    case .normal: self = .normal
    case .quarter: self = .leftUp
    case .half: self = .bottomUp
    case .threeQuarters: self = .rightUp
    }
  }
}
