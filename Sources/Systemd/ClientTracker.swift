// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// Counts what each client of a bus has asked for, nested, and forgets a client that vanishes with all its
/// counts (`sd_bus_track`, recursive).
public struct ClientTracker: ~Copyable {
  private let handle: OpaquePointer
  private let handler: EmptyHandler

  /// Tracks nobody yet.
  ///
  /// - Parameters:
  ///   - bus: The connection that the clients' messages come over.
  ///   - whenEmpty: Called by the loop after the last client was removed or has vanished; not for a tracker
  ///     that was empty all along.
  /// - Throws: `BusError`, where the connection is gone.
  public init(on bus: borrowing Bus, whenEmpty: @escaping () -> Void) throws(BusError) {
    let handler = EmptyHandler(whenEmpty)
    let userdata = Unmanaged.passUnretained(handler).toOpaque()
    handle = try BusError.create("sd_bus_track_new") {
      sd_bus_track_new(
        bus.handle, &$0,
        { _, userdata in
          callback(EmptyHandler.self, userdata) { $0.becameEmpty() }
          return 1  // after a 0, sd-bus would call again at once, for ever
        }, userdata)
    }
    self.handler = handler
    // It cannot fail on a tracker that is empty.
    _ = sd_bus_track_set_recursive(handle, 1)
  }

  deinit { sd_bus_track_unref(handle) }

  /// Counts the sender of a message once more.
  ///
  /// - Parameter message: A received message.
  /// - Throws: `BusError`, where the sender has vanished already, or the connection is gone.
  public func add(senderOf message: borrowing Message) throws(BusError) {
    handler.wasOccupied = true
    try BusError.check(sd_bus_track_add_sender(handle, message.handle), "sd_bus_track_add_sender")
  }

  /// Counts the sender of a message once less.
  ///
  /// - Parameter message: A received message.
  /// - Returns: Whether there was anything to remove.
  /// - Throws: `BusError`, where the message has no sender.
  @discardableResult
  public func remove(senderOf message: borrowing Message) throws(BusError) -> Removal {
    let result = sd_bus_track_remove_sender(handle, message.handle)
    return try BusError.check(result, "sd_bus_track_remove_sender") > 0 ? .removed : .notTracked
  }

  /// What a removal did.
  public enum Removal: Equatable, Sendable {
    /// The client's count is one less.
    case removed
    /// The client's count was zero, and is.
    case notTracked
  }

  /// How often the sender of a message has been added, less the removals.
  ///
  /// - Parameter message: A received message.
  /// - Returns: The client's count.
  public func count(senderOf message: borrowing Message) -> Int {
    max(0, Int(sd_bus_track_count_sender(handle, message.handle)))
  }

  /// How often a client has been added, less the removals.
  ///
  /// - Parameter client: Its unique name.
  /// - Returns: The client's count.
  public func count(of client: String) -> Int { max(0, Int(sd_bus_track_count_name(handle, client))) }

  /// The number of clients whose count is above zero.
  public var clientCount: Int { Int(sd_bus_track_count(handle)) }

  /// The sum of all clients' counts.
  public var totalCount: Int {
    var total = 0
    var client = sd_bus_track_first(handle)
    while let name = client {
      total += max(0, Int(sd_bus_track_count_name(handle, name)))
      client = sd_bus_track_next(handle)
    }
    return total
  }
}

/// The stable address that sd-bus hands back to the callback.
private final class EmptyHandler {
  private let body: () -> Void
  // sd-bus calls for a new tracker too, which has been empty all along.
  var wasOccupied = false

  init(_ body: @escaping () -> Void) { self.body = body }

  func becameEmpty() {
    guard wasOccupied else { return }
    wasOccupied = false
    body()
  }
}
