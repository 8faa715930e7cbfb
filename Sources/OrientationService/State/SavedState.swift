// SPDX-License-Identifier: Apache-2.0

import Orientation

/// What of the screen survives a restart and a power cut: the rotation lock, and what was chosen by hand.
package struct SavedState: Equatable, Sendable {
  /// Whether the rotation lock is on.
  package var isRotationLocked: Bool

  /// The orientation that was chosen by hand or is held by the lock; nil where there is none, and never unknown.
  package var interfaceOrientation: InterfaceOrientation? {
    didSet { if interfaceOrientation == .unknown { interfaceOrientation = nil } }
  }

  /// The orientations that the interface may take: never none of them, which is no state that a screen can be in.
  package var supported: InterfaceOrientationMask {
    didSet { supported = Self.possible(supported) }
  }

  /// A state, by default the one before anybody has chosen anything; a mask with none of the four counts as all.
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
