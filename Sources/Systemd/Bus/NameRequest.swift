// SPDX-License-Identifier: Apache-2.0

// A bus name that somebody else may have: it is asked for without waiting for the bus, and comes to us when who has it
// gives it up.

import CSystemd

/// What asks for a bus name.
public final class NameRequest {
  /// What has become of it.
  public enum Outcome: Equatable, Sendable {
    /// The name is ours.
    case owned
    /// Somebody else has it; it is ours when that ends.
    case queued
    /// The bus refuses it: its policy does not let this user own the name.
    case failed(BusError)
  }

  private let name: String
  private let handler: (Outcome) -> Void
  private var last: Outcome?
  private var acquisition: Slot?
  private var answer: Slot?

  /// Listens to the bus, which is not asked for the name yet.
  ///
  /// Waits for the bus to accept the rule.
  ///
  /// - Parameters:
  ///   - name: Such as `org.example.Service1`.
  ///   - bus: The bus.
  ///   - handler: Called with each outcome: once, or twice where the name comes later.
  /// - Throws: `BusError`, where the connection is gone.
  public init(
    for name: String, on bus: borrowing Bus, _ handler: @escaping (Outcome) -> Void
  ) throws(BusError) {
    self.name = name
    self.handler = handler
    acquisition = try bus.matchSignalOfBus("NameAcquired", where: ",arg0='\(name)'") {
      [unowned(unsafe) self] _ in become(.owned)
    }
  }

  /// Asks the bus, without waiting: the name is ours now, or when nobody before us in the queue has it any more.
  ///
  /// - Parameter bus: The same one.
  /// - Throws: `BusError`, where the connection is gone.
  public func send(on bus: borrowing Bus) throws(BusError) {
    let bus = bus.handle
    answer = try Slot(
      "sd_bus_request_name_async",
      handler: { [unowned(unsafe) self] reply in if !reply.isFromConnection { become(outcome(of: reply)) } },
      make: { sd_bus_request_name_async(bus, &$0, name, UInt64(SD_BUS_NAME_QUEUE), $1, $2) })
  }

  private func become(_ outcome: Outcome) {
    // The word that the name is ours comes before the answer to the request.
    guard last != outcome, last != .owned else { return }
    last = outcome
    handler(outcome)
  }
}

/// Reads the bus's answer: the numbers are those of the D-Bus specification, RequestName.
private func outcome(of reply: borrowing Message) -> NameRequest.Outcome {
  if let error = reply.error { return .failed(error) }
  do throws(BusError) {
    switch try reply.readUInt32() {
    case 1, 4: return .owned
    default: return .queued
    }
  } catch {
    return .failed(error)
  }
}
