// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// No orientation is left that all levels support: which of them exclude one another.
public struct InterfaceOrientationConflict: Error, Equatable, Sendable {
  /// What a level supports.
  public struct Claim: Equatable, Sendable {
    /// The level.
    public var level: InterfaceOrientationLevel
    /// What it supports.
    public var supported: InterfaceOrientationMask
  }

  /// The levels in conflict, front to back: as few as there can be, so that without any of them an orientation is left.
  ///
  /// It is one level alone where that supports nothing.
  public var claims: [Claim]

  /// The levels in conflict, front to back.
  public var levels: [InterfaceOrientationLevel] { claims.map { $0.level } }
}

extension InterfaceOrientationConflict: CustomStringConvertible {
  /// "no interface orientation is left: view supports landscapeLeft, app supports portrait".
  public var description: String {
    let parts = claims.map { claim in
      let names = InterfaceOrientation.allCases.filter { claim.supported.contains($0) }.map { $0.name }
      return "\(claim.level.name) supports \(names.isEmpty ? "none" : names.joined(separator: " and "))"
    }
    return "no interface orientation is left: \(parts.joined(separator: ", "))"
  }
}
