// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO
import MockDevices
import SensorSetup
import Testing

@Suite("A look at the devices")
struct DeviceLookTests {
  init() { useMockKernel() }

  @Test("reads once what udev knows of each sensor, and nothing of devices that are no sensors")
  func readsOnce() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      kernel.addDevice("iio:device1", under: "platform/als", attributes: lightAndProximityAttributes())
      kernel.addDevice(
        "iio:device2", under: "platform/adc", attributes: ["name": "adc", "in_voltage0_raw": "1"])
      let opens = ["chip/iio:device0", "als/iio:device1", "adc/iio:device2"].map {
        FileOpens(of: kernel.file(of: "uevent", of: "/sys/devices/platform/\($0)"))
      }
      let catalog = try SensorCatalog(for: Configuration())
      #expect(catalog.used?.sensor.id == "iio:device0")
      #expect(catalog.entries.map(\.sensor.id) == ["iio:device0", "iio:device1", "iio:device2"])
      #expect(opens.map { $0.new() } == [1, 1, 0])
      #expect(try AmbientCatalog.local()[.light]?.device.id == "iio:device1")
      #expect(opens.map { $0.new() } == [1, 1, 0])
    }
  }
}

/// Counts how often a file is opened, as the kernel tells it (inotify).
private final class FileOpens {
  private let descriptor: CInt

  init(of path: String) {
    descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
    // Two equal events in a row are told as one: the closing keeps two openings apart.
    inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_CLOSE))
  }

  deinit { close(descriptor) }

  /// How often it was opened since the last call.
  func new() -> Int {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let length = read(descriptor, &bytes, bytes.count)
    guard length > 0 else { return 0 }
    return bytes.withUnsafeBytes { buffer in
      // Events of a file that is watched by itself have no name, and so one size.
      stride(from: 0, to: length, by: MemoryLayout<inotify_event>.size)
        .count {
          buffer.loadUnaligned(fromByteOffset: $0, as: inotify_event.self).mask & UInt32(IN_OPEN) != 0
        }
    }
  }
}
