// SPDX-License-Identifier: Apache-2.0

// This folder: what is on the screen of an X server, and what must change there. No X server is needed for that.

import CX11
import Orientation

/// How a controller turns and mirrors its picture: RandR's set of bits.
///
/// RandR counts counter-clockwise, as the transforms of Wayland's outputs do.
struct XRotation: Equatable, Sendable {
  let bits: UInt16

  init(bits: UInt16) { self.bits = bits }

  /// Not mirrored.
  init(_ transform: OutputTransform) { bits = 1 << UInt16(transform.quarters) }

  /// The turn; a picture that is mirrored along both axes is one that is turned by half.
  var transform: OutputTransform {
    let quarters = bits.trailingZeroBitCount
    let isUpsideDown = bits & Self.mirrors == Self.mirrors
    return OutputTransform(quarters: isUpsideDown ? quarters + 2 : quarters)
  }

  /// Whether the picture is mirrored along one axis.
  var isMirrored: Bool { bits & Self.mirrors != 0 && bits & Self.mirrors != Self.mirrors }

  /// Whether the height of the picture is the width of the mode.
  var isSideways: Bool { bits & UInt16(RR_Rotate_90 | RR_Rotate_270) != 0 }

  private static let mirrors = UInt16(RR_Reflect_X | RR_Reflect_Y)
}
