// SPDX-License-Identifier: Apache-2.0

/// How much of what the service keeps for clients there may be, for each client, for each user and in all.
///
/// The administrator sets the limits of subscriptions and claims (`ClientLimits`). LIMITS of org.orientationd1(5) has
/// those that a client meets.
enum Limits {
  /// Calls that wait for polkit: programs make one or two at a time.
  ///
  /// For the limit of a client all its calls count. For the other limits only those count that polkit has not decided yet: a call that
  /// merely waits for an earlier one of its own client takes no place from other clients.
  static let callsForPolkit = UserAccounts(perClient: 8, perUser: 16, inAll: 64)
  /// Those that may ask the user, which takes long.
  ///
  /// The rest is reserved for calls that are decided at once: clients that leave a dialogue open cannot block them.
  static let callsForPerson = UserAccounts(perClient: 8, perUser: 8, inAll: 32)
  /// Questions to polkit about programs that go on with something; others wait for their turn.
  ///
  /// The bus allows a connection 128 calls without a reply. polkit may be slow with the questions about the programs of one user.
  static let programsForPolkit = UserAccounts(perClient: 8, perUser: 8, inAll: 32)
  /// Calls that wait for the first orientation: a script makes one at a time.
  static let callsForSensor = UserAccounts(perClient: 8, perUser: 16, inAll: 64)
  /// Answers that wait for the disk.
  static let answersForDisk = UserAccounts(perClient: 8, perUser: 16, inAll: 64)
  /// Holds of interface orientations: more than any app has windows, any user apps.
  static let holds = UserAccounts(perClient: 8, perUser: 32, inAll: 64)
  /// Connections to the motion socket.
  static let motionConnections = UserAccounts(perClient: 1, perUser: 64, inAll: 192)
}
