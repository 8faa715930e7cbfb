// SPDX-License-Identifier: Apache-2.0

// A bus name that somebody else may have: it is asked for without waiting for the bus, and comes to us when who has it
// gives it up.

import CSystemd

/// What asks for a bus name, until this is destroyed.
public struct NameRequest: ~Copyable {
  /// What has become of it.
  public enum Outcome: Equatable, Sendable {
    /// The name is ours.
    case owned
    /// Somebody else has it; it is ours when that ends.
    case queued
    /// The bus refuses it: its policy does not let this user own the name.
    case failed(BusError)
  }

  @usableFromInline let answer: Slot
  @usableFromInline let acquisition: Slot
}

extension Bus {
  /// Becomes the owner of a well-known name, now or when nobody before us in the queue has it any more.
  ///
  /// - Parameters:
  ///   - name: Such as `org.example.Service1`.
  ///   - handler: Called with each outcome: once, or twice where the name comes later.
  /// - Returns: What asks for it. Destroying it does not give the name back.
  /// - Throws: `BusError`, where the connection is gone.
  public func queue(
    forName name: String, _ handler: @escaping (NameRequest.Outcome) -> Void
  ) throws(BusError) -> NameRequest {
    let bus = handle
    let state = NameRequestState(handler)
    let rule =
      "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
      + "interface='org.freedesktop.DBus',member='NameAcquired',arg0='\(name)'"
    let acquisition = try Slot(
      "sd_bus_add_match_async", handler: { _ in state.become(.owned) },
      make: { sd_bus_add_match_async(bus, &$0, rule, $1, nil, $2) })
    let answer = try Slot(
      "sd_bus_request_name_async", handler: { reply in state.become(outcome(of: reply)) },
      make: { sd_bus_request_name_async(bus, &$0, name, UInt64(SD_BUS_NAME_QUEUE), $1, $2) })
    return NameRequest(answer: answer, acquisition: acquisition)
  }
}

/// The outcome that was told last.
private final class NameRequestState {
  private let handler: (NameRequest.Outcome) -> Void
  private var last: NameRequest.Outcome?

  init(_ handler: @escaping (NameRequest.Outcome) -> Void) { self.handler = handler }

  func become(_ outcome: NameRequest.Outcome) {
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
