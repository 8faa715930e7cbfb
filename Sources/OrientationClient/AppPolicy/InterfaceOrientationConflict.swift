// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// No orientation is left that all levels support; names the levels that exclude each other.
public struct InterfaceOrientationConflict: Error, Equatable, Sendable {
  /// What a level supports.
  public struct Claim: Equatable, Sendable {
    /// The level.
    public var level: InterfaceOrientationLevel
    /// What it supports.
    public var supported: InterfaceOrientationMask
  }

  /// The levels in conflict, front to back: as few as possible, so that without any one of them an orientation is left.
  ///
  /// It is a single level if that level supports no orientation.
  public var claims: [Claim]

  /// The levels in conflict, front to back.
  public var levels: [InterfaceOrientationLevel] { claims.map { $0.level } }
}

extension InterfaceOrientationConflict: CustomStringConvertible {
  /// "no interface orientation is left: view supports landscapeLeft, app supports portrait".
  public var description: String {
    let parts = claims.map { "\($0.level.name) supports \($0.supported.names)" }
    return "no interface orientation is left: \(parts.joined(separator: ", "))"
  }
}
