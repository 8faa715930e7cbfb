// SPDX-License-Identifier: Apache-2.0

/// When the interface follows the device's orientation: what `FollowIn=` chooses among.
public enum FollowIn: String, CaseIterable, Sendable {
  /// Whatever the switch for the tablet mode says.
  case always
  /// Not in laptop mode, in which the interface returns to the natural orientation and holds.
  case tablet

  /// Whether the interface follows in this mode; where no switch says, it does.
  public func follows(in mode: TabletMode) -> Bool {
    switch self {
    case .always: true
    case .tablet: mode != .laptop
    }
  }
}
