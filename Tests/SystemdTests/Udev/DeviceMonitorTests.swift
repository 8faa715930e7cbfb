// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import TestSupport
import Testing

extension SystemdTests {
  @Suite struct DeviceMonitorTests {
    @Test func `devices of the subsystem are heard of, and udev's properties read`() throws {
      let child = try ChildProcess(
        "systemd-test-helper", ["devices"], environment: ["LD_PRELOAD": "libumockdev-preload.so.0"])
      let device = "iio:device0"
      #expect(try child.exitCode() == 0)
      // umockdev announces a device that it makes, which the test does once more.
      #expect(
        child.output == """
          0, 1, 0; 1, 0, 0; 0, 0, 1
          no location
          add \(device)
          add \(device)
          change \(device)
          other \(device)
          remove \(device)

          """)
    }

    @Test func `a property that a device lacks is none`() throws {
      #expect(try UdevDevice(sysfsPath: "/sys/devices/system/cpu/cpu0").property("NO_SUCH_PROPERTY") == nil)
    }

    @Test(arguments: ["/sys/devices/nonsense", "/sys/bus/../nonsense"])
    func `a device that is not there is ENODEV`(path: String) {
      let error = #expect(throws: SystemdError.self) { _ = try UdevDevice(sysfsPath: path).property("X") }
      #expect(error?.code == ENODEV)
    }

    @Test func `a path outside sysfs is an error`() {
      #expect(throws: SystemdError.self) { _ = try UdevDevice(sysfsPath: "/etc").property("X") }
    }

    @Test func `a monitor that is gone has freed its handler`() throws {
      let loop = try EventLoop()
      weak var canary: Canary?
      do {
        let bird = Canary()
        canary = bird
        let monitor = try DeviceMonitor(subsystem: "iio", loop: loop) { _ in bird.sing() }
        _ = consume monitor
      }
      #expect(canary == nil)
    }
  }
}
