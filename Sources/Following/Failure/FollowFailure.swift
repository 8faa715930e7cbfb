// SPDX-License-Identifier: Apache-2.0

/// Why the screen is not turned any more, for people.
public struct FollowFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, and what to do; names from outside are printable.
  public let description: String
  /// Whether another attempt in the same session would fail in the same way.
  public let isFinal: Bool

  /// Creates a failure.
  public init(_ description: String, isFinal: Bool = false) {
    self.description = description
    self.isFinal = isFinal
  }

  /// The exit status of the process: the systemd unit does not try again after 69 (EX_UNAVAILABLE).
  public var exitStatus: CInt { isFinal ? 69 : 1 }

  /// The desktop reports more of something than there can be.
  public static func tooMany(_ things: String) -> FollowFailure {
    FollowFailure("the desktop reports more \(things) than there can be")
  }
}
