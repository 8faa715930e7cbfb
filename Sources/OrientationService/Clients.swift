// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The clients that asked for notifications, each as often as it did, forgotten when they vanish.
struct Clients: ~Copyable {
  /// How often one client may nest its asking, and how many clients there may be: far more than a desktop has.
  private static let countsPerClient = 64
  private static let clients = 256

  private let tracker: ClientTracker

  /// Creates the list for the clients of a bus.
  ///
  /// - Parameters:
  ///   - bus: the connection that their calls come over.
  ///   - whenEmpty: called when the last one has gone.
  /// - Throws: `BusError` where the connection is gone.
  init(on bus: borrowing Bus, whenEmpty: @escaping () -> Void) throws(BusError) {
    tracker = try ClientTracker(on: bus, whenEmpty: whenEmpty)
  }

  /// Whether nobody asks.
  var isEmpty: Bool { tracker.clientCount == 0 }

  /// The number of clients.
  var count: Int { tracker.clientCount }

  /// Counts the caller once more.
  func begin(_ call: borrowing Message) throws(BusError) {
    let count = tracker.count(senderOf: call)
    guard count < Self.countsPerClient else {
      throw BusError(
        name: ServiceErrorName.limitsExceeded,
        message: "This client has begun \(count) times already; end some first.")
    }
    guard count > 0 || tracker.clientCount < Self.clients else {
      throw BusError(
        name: ServiceErrorName.limitsExceeded,
        message: "\(Self.clients) clients are being notified already; try again when one of them has gone.")
    }
    try tracker.add(senderOf: call)
  }

  /// Counts the caller once less.
  func end(_ call: borrowing Message) throws(BusError) {
    guard try tracker.remove(senderOf: call) == .removed else {
      throw BusError(
        name: ServiceErrorName.notGenerating,
        message: "This client has no BeginGeneratingDeviceOrientationNotifications to end.")
    }
  }
}
