// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The part of the screen's state that survives a restart and a power cut: the rotation lock, and what the user has chosen.
package struct SavedState: Equatable, Sendable {
  /// Whether the rotation lock is on.
  package var isRotationLocked: Bool

  /// The orientation that the user has chosen or that the lock holds, never unknown; nil if there is none.
  package var interfaceOrientation: InterfaceOrientation? {
    didSet { if interfaceOrientation == .unknown { interfaceOrientation = nil } }
  }

  /// The orientations that the interface may take; never empty.
  package var supported: InterfaceOrientationMask {
    didSet { supported = Self.possible(supported) }
  }

  /// Creates a state, by default that of the first start.
  ///
  /// A mask with none of the four counts as all.
  package init(
    isRotationLocked: Bool = false, interfaceOrientation: InterfaceOrientation? = nil,
    supported: InterfaceOrientationMask = .all
  ) {
    self.isRotationLocked = isRotationLocked
    self.interfaceOrientation = interfaceOrientation == .unknown ? nil : interfaceOrientation
    self.supported = Self.possible(supported)
  }

  private static func possible(_ mask: InterfaceOrientationMask) -> InterfaceOrientationMask {
    let known = mask.intersection(.all)
    return known.isEmpty ? .all : known
  }
}
