// SPDX-License-Identifier: Apache-2.0

// sd-bus goes on reading while up to 65,536 messages wait in memory to be sent. So clients that cause signals or replies
// faster than the bus accepts them could make a service grow by 37 MB (measured). Therefore a service that cannot send
// does not read. What it does not read waits in the bus, which limits each sender.

import CLinux
import CSystemd

/// Keeps a bus that is attached to a loop from reading while too much waits to be sent.
final class BackPressure {
  /// How many messages may wait until reading stops: more than one event ever causes.
  private static let limit: UInt64 = 64

  private let bus: OpaquePointer
  private var loop: EventLoop?
  private var filter: OpaquePointer?
  /// Waits until the bus accepts more; nil while reading.
  private var writable: EventSource?

  /// Does nothing until ``attach(to:)``.
  ///
  /// The bus must outlive this.
  init(on bus: OpaquePointer) { self.bus = bus }

  deinit { sd_bus_slot_unref(filter) }

  /// Attaches the bus to a loop.
  func attach(to loop: EventLoop) throws(BusError) {
    try BusError.check(
      sd_bus_attach_event(bus, loop.handle, Int32(SD_EVENT_PRIORITY_NORMAL)), "sd_bus_attach_event")
    self.loop = loop
    filter = try BusError.create("sd_bus_add_filter") {
      sd_bus_add_filter(
        bus, &$0,
        { _, userdata, _ in
          callback(BackPressure.self, userdata) { $0.received() }
          return 0  // not handled: other filters and objects follow
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  private var queued: UInt64 {
    var count: UInt64 = 0
    _ = sd_bus_get_n_queued_write(bus, &count)
    return count
  }

  /// A message was read, and will be handled now.
  private func received() {
    guard writable == nil, queued > Self.limit, let loop else { return }
    sd_bus_detach_event(bus)
    writable = try? loop.wait(for: EPOLLOUT.rawValue, of: sd_bus_get_fd(bus)) {
      [unowned(unsafe) self] in write()
    }
    // Reading without a limit is better than not reading at all.
    if writable == nil { readAgain(on: loop) }
  }

  /// The bus accepts more.
  private func write() {
    // It writes what it can, and reads only if there was nothing to write.
    let result = sd_bus_process(bus, nil)
    // sd-bus handles a connection that has ended.
    guard result < 0 || queued == 0 || sd_bus_is_ready(bus) <= 0, let loop else { return }
    writable = nil
    readAgain(on: loop)
  }

  private func readAgain(on loop: EventLoop) {
    let result = sd_bus_attach_event(bus, loop.handle, Int32(SD_EVENT_PRIORITY_NORMAL))
    // No message would be read any more, nor the end of the connection noticed.
    if result < 0 { loop.exit(EXIT_FAILURE) }
  }
}
