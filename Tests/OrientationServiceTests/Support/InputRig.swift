// SPDX-License-Identifier: Apache-2.0

import CFaults
import CLinux
import CMockInput
import Foundation
import Systemd
import TestSupport
import Testing

@testable import OrientationService
@testable import SensorSetup

/// A /sys and a /dev of input devices that a test makes, and the switches that listen to them.
final class InputRig {
  private let folder: TemporaryFolder
  private let loop: EventLoop
  private var nodes: [String: CInt] = [:]
  private var switches: HardwareSwitches?
  /// All that was told.
  private(set) var events: [HardwareSwitches.Event] = []

  init() throws {
    folder = try TemporaryFolder()
    loop = try EventLoop()
  }

  deinit { for (_, node) in nodes { close(node) } }

  /// Starts to listen; returns what was told at once.
  @discardableResult
  func start(_ configuration: Configuration = Configuration()) throws -> [HardwareSwitches.Event] {
    switches = try HardwareSwitches(
      loop: loop, configuration: configuration, log: ServiceLog(), root: folder.path
    ) { [unowned self] in events.append($0) }
    return takeEvents()
  }

  /// Adds a device; udev's word of it is another matter.
  ///
  /// - Parameters:
  ///   - id: such as `event0`.
  ///   - switches: the capabilities, as sysfs has them.
  ///   - keys: the same of its keys.
  ///   - positions: where the switches are, a bit each.
  /// - Throws: what keeps its files from being made.
  func add(_ id: String, switches: String = "0", keys: String = "0", positions: UInt = 0) throws {
    try folder.write("switches of a tablet\n", to: "sys/class/input/\(id)/device/name")
    try folder.write("\(switches)\n", to: "sys/class/input/\(id)/device/capabilities/sw")
    try folder.write("\(keys)\n", to: "sys/class/input/\(id)/device/capabilities/key")
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/dev/input", withIntermediateDirectories: true)
    let node = mock_input_create(path(id))
    try #require(node >= 0)
    nodes[id] = node
    mock_input_set_switches(path(id), positions)
  }

  /// Takes a device away; udev's word of it is another matter.
  func remove(_ id: String) throws {
    if let node = nodes.removeValue(forKey: id) { close(node) }
    unlink(path(id))
    try FileManager.default.removeItem(atPath: "\(folder.path)/sys/class/input/\(id)")
  }

  /// Goes by another configuration; returns what was told because of it.
  func reconfigure(_ configuration: Configuration) -> [HardwareSwitches.Event] {
    switches?.reconfigure(configuration)
    return takeEvents()
  }

  /// Has udev tell something; returns what was told because of it.
  func tellUdev(_ action: DeviceEvent.Action, of id: String) -> [HardwareSwitches.Event] {
    switches?.handle(action, of: id)
    return takeEvents()
  }

  /// Has a device send events; returns what was told because of them.
  @discardableResult
  func send(
    _ events: (type: Int32, code: Int32, value: Int32)..., from id: String
  ) throws -> [HardwareSwitches.Event] {
    for event in events {
      var event = input_event(
        time: timeval(), type: UInt16(event.type), code: UInt16(event.code), value: event.value)
      _ = write(try #require(nodes[id]), &event, MemoryLayout<input_event>.size)
    }
    return try turn()
  }

  /// Lets the loop handle all that waits; returns what was told meanwhile.
  func turn() throws -> [HardwareSwitches.Event] {
    while try loop.runOnce(timeoutSeconds: 0) == .handledEvent {}
    return takeEvents()
  }

  /// Where the device node of a device lies.
  func path(_ id: String) -> String { "\(folder.path)/dev/input/\(id)" }

  /// Whether the daemon has this device open, by the mask that it has set.
  func isListenedTo(_ id: String) -> Bool { mock_input_mask(path(id), 0, 0) != .max }

  private func takeEvents() -> [HardwareSwitches.Event] {
    defer { events = [] }
    return events
  }
}
