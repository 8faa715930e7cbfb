// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import TestSupport
import Testing

@Suite("libiio in the daemon")
struct LibiioServiceTests {
  init() { useMockKernel() }

  /// The libraries of a process that come with libiio.
  private func libraries(of process: Int32) throws -> [String] {
    let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
    let files = Set(maps.split(separator: "\n").compactMap { $0.split(separator: "/").last.map(String.init) })
    return files.filter { name in ["libiio", "libxml2", "libicu"].contains { name.hasPrefix($0) } }.sorted()
  }

  @Test("is not in its memory while it waits, nor while it samples", arguments: ["chip", "hub"])
  func unloaded(sensor: String) throws {
    let rig = try Rig {
      if sensor == "chip" {
        $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      } else {
        $0.addDevice("iio:device0", attributes: hubAttributes())
        $0.addDevice("trigger0", attributes: hubTrigger)
      }
    }
    try rig.client.wait(for: "libiio to be unloaded") { try libraries(of: rig.daemon.id).isEmpty }
    try rig.client.begin()
    if sensor == "chip" {
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
    } else {
      try rig.client.wait(for: "landscapeLeft") {
        rig.kernel.deliver(hubScan(-1000, 0, 0, nanoseconds: bootTime), to: "iio:device0")
        return try rig.client.property("OrientationName") == "landscapeLeft"
      }
    }
    #expect(try libraries(of: rig.daemon.id).isEmpty)
    try rig.client.end()
    try rig.client.wait(for: "libiio to be unloaded") { try libraries(of: rig.daemon.id).isEmpty }
  }

  @Test("that cannot be loaded is not needed: the journal says why, once, and the tablet is sampled")
  func broken() throws {
    let folder = try TemporaryFolder()
    try folder.write("no library", to: "libiio.so.0")
    let path = [folder.path, getenv("LD_LIBRARY_PATH").map { String(cString: $0) } ?? ""]
    let rig = try Rig(environment: ["LD_LIBRARY_PATH": path.filter { !$0.isEmpty }.joined(separator: ":")]) {
      $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
    }
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    rig.kernel.set("in_accel_x_raw", of: chipPath, to: "1024")
    rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
    try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
    let lines = rig.log.filter { $0.contains("libiio") }
    #expect(
      lines == [
        "orientationd: libiio cannot be loaded (\(folder.path)/libiio.so.0: file too short); install libiio again (Debian: the package libiio0). "
          + "The IIO devices are used without libiio"
      ])
  }
}
