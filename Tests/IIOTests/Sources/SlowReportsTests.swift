// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

@testable import IIO

@Suite("A sampling frequency that is lowered for a rest")
struct SlowReportsTests {
  private static let file = "in_accel_sampling_frequency"

  /// A driver that takes longer than a person waits for it to take one value, and shows it then.
  private static func hesitate(at path: String, before: String, after: String) {
    show(before, at: path)
    usleep(1_100_000)
    var bytes = [UInt8](repeating: 0, count: 16)
    let told = open(path, O_RDONLY)
    _ = read(told, &bytes, bytes.count)
    close(told)
    show(after, at: path)
  }

  private static func show(_ value: String, at path: String) {
    let shown = open(path, O_WRONLY)
    _ = write(shown, value, value.utf8.count)
    close(shown)
  }

  @Test("is not lowered again if changing it during the rest took long")
  func adapting() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("25.0\n", to: "iio:device0/\(Self.file)")
    let device = IIODevice(
      id: "iio:device0", name: "accel_3d", files: [Self.file, "in_accel_x_raw"], in: folder.path)
    let channel = try #require(device.inputChannel(Axis.x.channel(of: .acceleration)))
    let settings = OwnSettings(of: device)
    settings.keep(Self.file)
    var slow = try #require(SlowReports(of: channel, full: 25, available: .unknown, keptBy: settings))
    let before = slow.begin()
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    later(0) { Self.hesitate(at: path, before: "5.27", after: "1.43") }
    slow.adapt(toPeriod: RestLooks.lyingPeriod)
    unlink(path)
    try folder.write("1.43\n", to: "iio:device0/\(Self.file)")
    let after = slow.begin()
    #expect(before && !after)
  }
}
