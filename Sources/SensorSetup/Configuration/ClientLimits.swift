// SPDX-License-Identifier: Apache-2.0

/// How many clients may request notifications, and how often: far more than a desktop needs.
public struct ClientLimits: Equatable, Sendable {
  /// `MaxClients=`: the number of clients of all users.
  public var clients = 256
  /// `MaxClientsPerUser=`: the number of clients of one user, so that no user can exclude the others.
  public var clientsPerUser = 64
  /// `MaxBeginsPerClient=`: how often one client may call Begin without an End.
  public var beginsPerClient = 64

  /// The defaults.
  public init() {}
}
