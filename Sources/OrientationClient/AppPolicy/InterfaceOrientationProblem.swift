// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// Why an app's interface does not have the orientation that the app has asked for.
///
/// UIKit ends the app in the first two cases. Here the app goes on, and the view is shown.
public enum InterfaceOrientationProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// No orientation is left that all levels support; the interface keeps its present one until their rules change.
  case conflict(InterfaceOrientationConflict)
  /// A presented view prefers an orientation that is not supported; it is presented in a supported one.
  case unsupportedPreference(UnsupportedInterfaceOrientationPreference)
  /// The app asked for a rotation, and all levels together support none of these orientations; nothing has changed.
  ///
  /// It names the levels that exclude some of them, front to back, and what they support.
  case unsupportedRotation(to: InterfaceOrientationMask, by: [InterfaceOrientationConflict.Claim])
  /// The daemon has refused a hold, so the interface does as it would without the app.
  ///
  /// The hold is requested again when the app's rules change, when it asks for an update, when it comes to the foreground, when
  /// other orientations are supported by the device, when another daemon is there, and, while one is, after 5 s to a minute, unless
  /// waiting does not help: the app's id is none.
  case holdRefused(OrientationError, orientations: InterfaceOrientationMask)
  /// The daemon has refused to rotate the interface to the device's orientation.
  case rotationRefused(OrientationError)
  /// The app holds the interface, but no program turns the screen, so people do not see it.
  ///
  /// It is reported once until a program does. An app that turns its own window need not mind.
  case screenIsNotTurned

  /// A text for developers.
  public var description: String {
    switch self {
    case .conflict(let conflict): "\(conflict)"
    case .unsupportedPreference(let preference): "\(preference)"
    case .unsupportedRotation(let orientations, let claims):
      claims.isEmpty
        ? "there is no orientation to rotate to" : "cannot rotate to \(orientations.text): \(claims.text)"
    case .holdRefused(let error, let orientations): "cannot hold \(orientations.text): \(error)"
    case .rotationRefused(let error): "cannot rotate to the device's orientation: \(error)"
    case .screenIsNotTurned: "the interface is held, but nothing turns the screen (orientationctl status)"
    }
  }
}

/// No orientation is left that all levels support; names the levels that exclude each other.
public struct InterfaceOrientationConflict: Error, Equatable, Sendable, CustomStringConvertible {
  /// What a level supports.
  public struct Claim: Equatable, Sendable {
    /// The level.
    public let level: InterfaceOrientationLevel
    /// What it supports.
    public let supported: InterfaceOrientationMask

    /// Creates a claim.
    public init(level: InterfaceOrientationLevel, supported: InterfaceOrientationMask) {
      self.level = level
      self.supported = supported
    }
  }

  /// The levels in conflict, front to back: as few as possible, so that without any one of them an orientation is left.
  ///
  /// It is a single level if that level supports no orientation.
  public let claims: [Claim]

  /// The levels in conflict, front to back.
  public var levels: [InterfaceOrientationLevel] { claims.map { $0.level } }

  /// Creates a conflict, as an app's tests may do.
  public init(claims: [Claim]) { self.claims = claims }

  /// "no interface orientation is left: view supports landscapeLeft, app supports portrait".
  public var description: String { "no interface orientation is left: \(claims.text)" }
}

/// A view is to be presented in an orientation that the levels together do not support.
public struct UnsupportedInterfaceOrientationPreference: Equatable, Sendable, CustomStringConvertible {
  /// The level that prefers the orientation.
  public let level: InterfaceOrientationLevel
  /// What it prefers.
  public let preferred: InterfaceOrientation
  /// The levels that exclude it, front to back, and what they support.
  public let excludedBy: [InterfaceOrientationConflict.Claim]

  /// Creates a preference that is not supported, as an app's tests may do.
  public init(
    level: InterfaceOrientationLevel, preferred: InterfaceOrientation,
    excludedBy: [InterfaceOrientationConflict.Claim]
  ) {
    self.level = level
    self.preferred = preferred
    self.excludedBy = excludedBy
  }

  /// "view prefers portrait, but app supports landscapeRight and landscapeLeft".
  public var description: String { "\(level.name) prefers \(preferred.name), but \(excludedBy.text)" }
}

extension [InterfaceOrientationConflict.Claim] {
  /// "view supports landscapeLeft, app supports portrait".
  fileprivate var text: String {
    map { "\($0.level.name) supports \($0.supported.text)" }.joined(separator: ", ")
  }
}

extension InterfaceOrientationMask {
  /// The names for a text, such as "portrait and landscapeLeft"; "none" for an empty set.
  var text: String {
    names.isEmpty ? "none" : names.joined(separator: " and ")
  }
}
