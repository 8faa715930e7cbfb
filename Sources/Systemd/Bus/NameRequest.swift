// SPDX-License-Identifier: Apache-2.0

// Requests a bus name that another connection may own, without waiting for the bus. Then we get it when its owner releases it.

import CSystemd

/// A request for a bus name.
package final class NameRequest {
  /// The result of the request.
  package enum Outcome: Equatable, Sendable {
    /// The name is ours.
    case owned
    /// Another connection owns it; it is ours when that releases it.
    case queued
    /// The bus refuses it: its policy does not let this user own the name.
    case failed(BusError)
  }

  private let name: String
  private let bus: Bus
  private let handler: (Outcome) -> Void
  private var last: Outcome?
  private var acquisition: Slot?
  private var answer: Slot?

  /// Listens for the name, which is not requested yet.
  ///
  /// Waits for the bus to accept the rule.
  ///
  /// - Parameters:
  ///   - name: Such as `org.example.Service1`.
  ///   - bus: The bus.
  ///   - handler: Called with each outcome: once, or twice if the name comes later.
  /// - Throws: `BusError` if the connection is closed.
  package init(
    for name: String, on bus: Bus, _ handler: @escaping (Outcome) -> Void
  ) throws(BusError) {
    self.name = name
    self.bus = bus
    self.handler = handler
    acquisition = try bus.matchSignalOfBus("NameAcquired", where: ",arg0='\(name)'") {
      [unowned(unsafe) self] _ in become(.owned)
    }
  }

  /// Requests the name, without waiting: it is ours now, or when it is our turn in the queue.
  ///
  /// - Throws: `BusError` if the connection is closed.
  package func send() throws(BusError) {
    answer = try Slot(
      "sd_bus_request_name_async",
      handler: { [unowned(unsafe) self] reply in if !reply.isFromConnection { become(outcome(of: reply)) } },
      make: { sd_bus_request_name_async(bus.handle, &$0, name, UInt64(SD_BUS_NAME_QUEUE), $1, $2) })
  }

  private func become(_ outcome: Outcome) {
    // The signal that the name is ours comes before the reply to the request.
    guard last != outcome, last != .owned else { return }
    last = outcome
    handler(outcome)
  }
}

/// Reads the bus's reply.
///
/// The numbers are those of the D-Bus specification, RequestName.
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
