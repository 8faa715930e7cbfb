// SPDX-License-Identifier: Apache-2.0

/// What a client may do only if polkit allows it: the actions of `data/org.orientationd1.policy`.
enum AuthorizedAction: String {
  /// Locking and unlocking the rotation.
  case setRotationLock = "org.orientationd1.set-rotation-lock"
  /// Every other change of the interface's orientation.
  case rotate = "org.orientationd1.rotate"
}
