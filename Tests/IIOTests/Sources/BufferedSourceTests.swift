// SPDX-License-Identifier: Apache-2.0

import CFaults
import Glibc
import MockDevices
import Orientation
import Testing

@testable import IIO

@Suite("A buffered sensor")
struct BufferedSourceTests {
  init() { useMockKernel() }

  @Test("delivers each sample of a block with its own stamp, whatever the padding holds")
  func blocks() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      kernel.addDevice("trigger0", attributes: hubTrigger)
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      let now = BootTime.now.nanoseconds
      kernel.deliver(
        hubScan(1000, -1000, 0, nanoseconds: now) + hubScan(0, -1, 7, nanoseconds: now + 5), to: "iio:device0"
      )
      let first = try #require(try source.next(interruptedBy: wakeUp))
      expectEqual(first.time.nanoseconds, now)
      expectEqual(first.acceleration, Acceleration(x: 1000 * 0.00980665, y: -1000 * 0.00980665, z: 0))
      let second = try #require(try source.next(interruptedBy: wakeUp))
      expectEqual(second.time.nanoseconds, now + 5)
      expectEqual(second.acceleration, Acceleration(x: 0, y: -0.00980665, z: 7 * 0.00980665))
    }
  }

  @Test("is set up: frequency, clock, channels, watermark; and turned off when it is destroyed")
  func setUp() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      kernel.addDevice("trigger0", attributes: hubTrigger)
      let source = try BufferedSource(try #require(try onlySensor()), rate: 200)
      expectEqual(source.sampleRate, 200)
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "200.0")
      expectEqual(kernel.attribute("current_timestamp_clock", of: chipPath), "boottime")
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "1")
      // A hub may report but once; what it reports while the program is held up has room.
      expectEqual(kernel.attribute("buffer/watermark", of: chipPath), "1")
      expectEqual(kernel.attribute("buffer/length", of: chipPath), "64")
      expectEqual(kernel.attribute("trigger/current_trigger", of: chipPath), "accel_3d-dev0")
      for channel in ["accel_x", "accel_y", "accel_z", "timestamp"] {
        expectEqual(kernel.attribute("scan_elements/in_\(channel)_en", of: chipPath), "1")
      }
      _ = consume source
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "0")
      expectEqual(descriptors(ofPath: "iio:device0"), [])
    }
  }

  @Test("gets its own trigger where none is set, and keeps one that is set")
  func triggers() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = hubAttributes()
      attributes["trigger/current_trigger"] = ""
      kernel.addDevice("iio:device0", attributes: attributes)
      kernel.addDevice("trigger0", under: "platform/hr", attributes: ["name": "hrtimer"])
      kernel.addDevice("trigger1", attributes: hubTrigger)
      let sensor = try #require(try onlySensor())
      let source = try BufferedSource(sensor, rate: 25)
      expectEqual(kernel.attribute("trigger/current_trigger", of: chipPath), "accel_3d-dev0")
      _ = consume source
      expectEqual(kernel.attribute("trigger/current_trigger", of: chipPath), "")
      kernel.set("trigger/current_trigger", of: chipPath, to: "hrtimer")
      _ = try BufferedSource(sensor, rate: 25)
      expectEqual(kernel.attribute("trigger/current_trigger", of: chipPath), "hrtimer")
    }
  }

  @Test(
    "gets another trigger where it has none of that name: its chip's or nobody's, but none for motion events")
  func otherTriggers() async {
    await #expect(processExitsWith: .success) {
      for parent in ["platform/chip", ""] {
        let kernel = MockKernel()
        var attributes = hubAttributes()
        attributes["trigger/current_trigger"] = ""
        kernel.addDevice("iio:device0", attributes: attributes)
        kernel.addDevice("trigger0", attributes: ["name": "accel_3d-any-motion-dev0"])
        kernel.addDevice("trigger1", under: parent, attributes: ["name": "some-trigger"])
        let source = try BufferedSource(try #require(try onlySensor()), rate: 25)
        expectEqual(
          kernel.attribute("trigger/current_trigger", of: chipPath), "some-trigger", "under '\(parent)'")
        withExtendedLifetime(source) {}
      }
    }
  }

  @Test("gets no trigger of another device, which it would power up and which can go")
  func foreignTrigger() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = hubAttributes()
      attributes["trigger/current_trigger"] = ""
      kernel.addDevice("iio:device0", attributes: attributes)
      kernel.addDevice("trigger0", under: "platform/gyroscope", attributes: ["name": "gyro_3d-dev1"])
      _ = try? BufferedSource(try #require(try onlySensor()), rate: 25)
      expectEqual(kernel.attribute("trigger/current_trigger", of: chipPath), "")
    }
  }

  @Test("may have its channels in another order, and further ones, which are turned off")
  func order() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = hubAttributes()
      attributes["scan_elements/in_accel_x_index"] = "2"
      attributes["scan_elements/in_accel_z_index"] = "0"
      attributes["scan_elements/in_temp_en"] = "1"
      attributes["scan_elements/in_temp_index"] = "4"
      attributes["scan_elements/in_temp_type"] = "le:s16/16>>0"
      attributes["in_temp_raw"] = "1"
      kernel.addDevice("iio:device0", attributes: attributes)
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      expectEqual(kernel.attribute("scan_elements/in_temp_en", of: chipPath), "0")
      kernel.deliver(hubScan(1, 2, 3, nanoseconds: BootTime.now.nanoseconds), to: "iio:device0")
      let sample = try source.next(interruptedBy: try WakeUpEvent())
      expectEqual(sample?.acceleration, Acceleration(x: 3 * 0.00980665, y: 2 * 0.00980665, z: 0.00980665))
    }
  }

  @Test("has unequal scales and offsets where the driver says so")
  func scales() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = hubAttributes()
      attributes["in_accel_scale"] = nil
      attributes["in_accel_offset"] = nil
      for (axis, scale, offset) in [("x", "0.5", "2"), ("y", "0.25", "-4.5"), ("z", "2", "0")] {
        attributes["in_accel_\(axis)_scale"] = scale
        attributes["in_accel_\(axis)_offset"] = offset
      }
      kernel.addDevice("iio:device0", attributes: attributes)
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      kernel.deliver(hubScan(10, 10, 10, nanoseconds: BootTime.now.nanoseconds), to: "iio:device0")
      let sample = try source.next(interruptedBy: try WakeUpEvent())
      expectEqual(sample?.acceleration, Acceleration(x: 6, y: 1.375, z: 20))
    }
  }

  @Test("whose stamps cannot be on CLOCK_BOOTTIME has those of arrival, spread by the rate")
  func stamps() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      var source = try BufferedSource(try #require(try onlySensor()), rate: 100)
      let wakeUp = try WakeUpEvent()
      let start = BootTime.now
      // The realtime clock of 2026, twice, and a field that the driver left empty, twice.
      let stamps: [Int64] = [1_790_000_000_000_000_000, 1_790_000_000_010_000_000, 0, 0]
      kernel.deliver(stamps.flatMap { hubScan(0, -1000, 0, nanoseconds: $0) }, to: "iio:device0")
      let times = try stamps.compactMap { _ in try source.next(interruptedBy: wakeUp)?.time }
      expectEqual(times.count, 4)
      #expect(zip(times, times.dropFirst()).allSatisfy { $1.nanoseconds - $0.nanoseconds == 10_000_000 })
      #expect(times[3] >= start)
      #expect(times[3] <= BootTime.now)
    }
  }

  @Test("whose driver has no time stamps has those of arrival")
  func noStamps() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = hubAttributes().filter { !$0.key.contains("timestamp") }
      for axis in ["x", "y", "z"] { attributes["scan_elements/in_accel_\(axis)_type"] = "be:s12/16>>4" }
      kernel.addDevice("iio:device0", attributes: attributes)
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let start = BootTime.now
      kernel.deliver([0x00, 0x1f, 0xff, 0xff, 0x80, 0x00], to: "iio:device0")
      let sample = try #require(try source.next(interruptedBy: try WakeUpEvent()))
      expectEqual(sample.acceleration, Acceleration(x: 0.00980665, y: -0.00980665, z: -2048 * 0.00980665))
      #expect(sample.time >= start)
    }
  }

  @Test("that was left alone shows the present: a full buffer is passed over, of another the latest counts")
  func leftAlone() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      func scans(_ numbers: ClosedRange<Int16>) -> [UInt8] {
        let now = BootTime.now.nanoseconds
        return numbers.flatMap { hubScan($0, 0, 0, nanoseconds: now + Int64($0)) }
      }
      kernel.deliver(scans(1...2), to: "iio:device0")
      for number in 1...2 {
        expectEqual(try source.next(interruptedBy: wakeUp)?.acceleration.x, Double(number) * 0.00980665)
      }
      // As many as the kernel's buffer holds, and some more, as it is rounded up.
      kernel.deliver(scans(1...11), to: "iio:device0")
      usleep(1_200_000)
      let writer = kernel.writer(to: "iio:device0")
      let late = scans(20...20)
      later(0.1) { _ = late.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) } }
      expectEqual(try source.next(interruptedBy: wakeUp)?.acceleration.x, 20 * 0.00980665)
      kernel.deliver(scans(1...5), to: "iio:device0")
      usleep(1_200_000)
      expectEqual(try source.next(interruptedBy: wakeUp)?.acceleration.x, 5 * 0.00980665)
      kernel.deliver(scans(6...7), to: "iio:device0")
      expectEqual(try source.next(interruptedBy: wakeUp)?.acceleration.x, 6 * 0.00980665)
    }
  }

  @Test("that delivers nothing, and is no hub that could be asked, is silent")
  func silent() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = hubAttributes()
      attributes["in_accel_hysteresis"] = nil
      kernel.addDevice("iio:device0", attributes: attributes)
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      #expect(throws: SourceError.silent(device: "accel_3d (iio:device0)", seconds: 1.5)) {
        _ = try source.next(interruptedBy: wakeUp)
      }
    }
  }

  @Test("that vanishes or fails ends with what its driver said, though poll says nothing")
  func driverErrors() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      let device = "accel_3d (iio:device0)"
      let node = source.buffer.nodeDescriptor
      faults_set(node, ENODEV)
      #expect(throws: SourceError.vanished(device: device)) { _ = try source.next(interruptedBy: wakeUp) }
      faults_set(node, EIO)
      kernel.deliver(hubScan(0, 0, 0, nanoseconds: 0), to: "iio:device0")
      #expect(throws: SourceError.system(operation: "reading the buffer of \(device)", code: EIO)) {
        _ = try source.next(interruptedBy: wakeUp)
      }
    }
  }

  @Test("that delivers part of a scan is not believed")
  func shortRead() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      kernel.deliver([1, 2, 3], to: "iio:device0")
      #expect(
        throws: SourceError.malformed(
          path: "accel_3d (iio:device0)", text: "3 bytes",
          reason: "a multiple of the scan's 24 bytes was expected")
      ) { _ = try source.next(interruptedBy: wakeUp) }
    }
  }

  @Test("ends its wait when it is woken up")
  func wakeUp() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      wakeUp.signal()
      try expectEqual(source.next(interruptedBy: wakeUp), nil)
      _ = consume kernel
    }
  }

  @Test("with a format that is nonsense can only be polled, and its buffer stays off")
  func nonsense() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = hubAttributes()
      attributes["scan_elements/in_accel_y_type"] = "le:s12/16>>9"
      kernel.addDevice("iio:device0", attributes: attributes)
      let sensor = try #require(try onlySensor())
      let path = "/sys/bus/iio/devices/iio:device0/scan_elements/in_accel_y_type"
      #expect(
        throws: SourceError.noBuffer(
          device: path, reason: "\"le:s12/16>>9\": 12 bits shifted by 9 do not fit into 16")
      ) { _ = try BufferedSource(sensor, rate: 25) }
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "0")
    }
  }

  @Test("has none without a device node, and says who may not open it")
  func deviceNode() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      let sensor = try #require(try onlySensor())
      faults_set_open("/dev/iio:device0", ENOENT)
      #expect(
        throws: SourceError.noBuffer(device: "accel_3d (iio:device0)", reason: "there is no /dev/iio:device0")
      ) { _ = try BufferedSource(sensor, rate: 25) }
      faults_set_open("/dev/iio:device0", EACCES)
      #expect(throws: SourceError.permissionDenied(path: "/dev/iio:device0")) {
        _ = try BufferedSource(sensor, rate: 25)
      }
    }
  }

  @Test("that another program holds is left as it is")
  func taken() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = hubAttributes()
      attributes["buffer/enable"] = "1"
      kernel.addDevice("iio:device0", attributes: attributes)
      let sensor = try #require(try onlySensor())
      faults_set_open("/dev/iio:device0", EBUSY)
      #expect(throws: SourceError.busy(device: "accel_3d (iio:device0)")) {
        _ = try BufferedSource(sensor, rate: 25)
      }
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "1")
    }
  }

  @Test("whose driver refuses to enable the buffer, for want of a trigger, has none")
  func refused() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      let sensor = try #require(try onlySensor())
      faults_set_open("buffer/enable", EINVAL)
      let reason = "the driver does not enable its buffer without a trigger"
      #expect(throws: SourceError.noBuffer(device: "accel_3d (iio:device0)", reason: reason)) {
        _ = try BufferedSource(sensor, rate: 25)
      }
    }
  }
}
