// SPDX-License-Identifier: Apache-2.0

/// How many clients may ask for notifications, and how often: far more than a desktop has.
public struct ClientLimits: Equatable, Sendable {
  /// `MaxClients=`: how many clients of all users.
  public var clients = 256
  /// `MaxClientsPerUser=`: how many clients of one user, so that none can keep the others out.
  public var clientsPerUser = 64
  /// `MaxBeginsPerClient=`: how often one client may nest its asking.
  public var beginsPerClient = 64

  /// The defaults.
  public init() {}
}
