// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// A view is to be presented in an orientation that the levels together do not support.
public struct UnsupportedInterfaceOrientationPreference: Error, Equatable, Sendable {
  /// The level that prefers the orientation.
  public var level: InterfaceOrientationLevel
  /// What it prefers.
  public var preferred: InterfaceOrientation
  /// What all levels support.
  public var supported: InterfaceOrientationMask
}

extension UnsupportedInterfaceOrientationPreference: CustomStringConvertible {
  /// "view prefers portrait, but supported is landscapeRight and landscapeLeft".
  public var description: String {
    "\(level.name) prefers \(preferred.name), but supported is \(supported.names)"
  }
}

extension InterfaceOrientationMask {
  /// The names for a text, such as "portrait and landscapeLeft"; "none" for an empty set.
  var names: String {
    let names = InterfaceOrientation.allCases.filter { contains($0) }.map { $0.name }
    return names.isEmpty ? "none" : names.joined(separator: " and ")
  }
}
