// SPDX-License-Identifier: Apache-2.0

import CFaults
import Glibc
import MockDevices
import Orientation
import Testing

@testable import IIO

/// A hub that lies flat: it reports the opposite of what holds it up.
private let flat = rest(0, 0, -1)
private let attribute = "/sys/bus/iio/devices/iio:device0/"

private func hub(
  hysteresis: String? = "0.00", x: String = "0", y: String = "0", z: String = "-1000"
) -> [String: String] {
  var attributes = hubAttributes()
  attributes["in_accel_hysteresis"] = hysteresis
  attributes["in_accel_x_raw"] = x
  attributes["in_accel_y_raw"] = y
  attributes["in_accel_z_raw"] = z
  return attributes
}

private func scan(_ x: Int16, _ y: Int16, _ z: Int16) -> [UInt8] {
  hubScan(x, y, z, nanoseconds: BootTime.now.nanoseconds)
}

@Suite("A sensor hub with change sensitivity")
struct ChangeSensitivityTests {
  init() { useMockKernel() }

  @Test(
    "is told at rest to report changes only, sleeps through what is none, and is told otherwise at the end")
  func reportsChanges() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub())
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      expectEqual(kernel.attribute("in_accel_hysteresis", of: chipPath), "0.00")
      kernel.deliver(scan(5, 0, -1000) + scan(0, 5, -1003), to: "iio:device0")
      kernel.deliver(scan(100, 0, -995), to: "iio:device0")
      let moved = try source.next(leaving: flat, interruptedBy: wakeUp)
      expectEqual(moved?.acceleration.x, 100 * 0.00980665)
      wakeUp.signal(after: 0.2)
      try expectEqual(source.next(leaving: flat, interruptedBy: wakeUp), nil)
      expectEqual(kernel.attribute("in_accel_hysteresis", of: chipPath), "0.02")
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "25.0")
      _ = consume source
      expectEqual(kernel.attribute("in_accel_hysteresis", of: chipPath), "0.00")
    }
  }

  @Test("is told to report all again if programs read every sample, until the next rest")
  func reportsEverything() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub())
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      for _ in 0..<2 {
        wakeUp.signal(after: 0.2)
        try expectEqual(source.next(leaving: flat, interruptedBy: wakeUp), nil)
        wakeUp.drain()
        expectEqual(kernel.attribute("in_accel_hysteresis", of: chipPath), "0.02")
        expectEqual(source.reportsChangesOnly, true)
        source.reportEverything()
        expectEqual(kernel.attribute("in_accel_hysteresis", of: chipPath), "0.0")
        expectEqual(source.reportsChangesOnly, false)
      }
    }
  }

  @Test("keeps the one that another program sets meanwhile, and the frequency likewise")
  func setByAnother() async {
    await #expect(processExitsWith: .success) {
      for (name, value) in [("in_accel_hysteresis", "0.30"), ("in_accel_sampling_frequency", "10.0")] {
        let kernel = MockKernel()
        let hysteresis = name == "in_accel_hysteresis" ? "0.00" : nil
        kernel.addDevice("iio:device0", attributes: hub(hysteresis: hysteresis))
        var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
        let wakeUp = try WakeUpEvent()
        let path = kernel.file(of: name, of: chipPath)
        later(0.2) {
          let file = open(path, O_WRONLY | O_TRUNC)
          _ = write(file, value, value.utf8.count)
          close(file)
        }
        wakeUp.signal(after: 0.4)
        try expectEqual(source.next(leaving: flat, interruptedBy: wakeUp), nil)
        expectEqual(kernel.attribute(name, of: chipPath), value)
        _ = consume source
        expectEqual(kernel.attribute(name, of: chipPath), value)
        expectEqual(kernel.attribute("buffer/enable", of: chipPath), "0")
      }
    }
  }

  @Test("of its own is not asked before it has been silent as long as any other hub")
  func firstReportLate() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub(hysteresis: "0.02"))
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let node = kernel.writer(to: "iio:device0")
      // Slow to power up, what it answers meanwhile is nothing to go by.
      later(0.8) {
        let bytes = scan(0, -1000, 0)
        _ = write(node, bytes, bytes.count)
      }
      let first = try source.next(interruptedBy: try WakeUpEvent())
      expectEqual(first?.acceleration.y, -1000 * 0.00980665)
    }
  }

  @Test("whose firmware set one keeps it, unless it hides too much")
  func firmware() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub(hysteresis: "0.03"))
      let sensor = try #require(try onlySensor())
      for (before, during) in [("0.03", "0.03"), ("0.50", "0.02")] {
        kernel.set("in_accel_hysteresis", of: chipPath, to: before)
        var source = try BufferedSource(sensor, rate: 25)
        let wakeUp = try WakeUpEvent()
        wakeUp.signal(after: 0.1)
        try expectEqual(source.next(leaving: flat, interruptedBy: wakeUp), nil)
        expectEqual(kernel.attribute("in_accel_hysteresis", of: chipPath), during)
      }
    }
  }

  @Test("is silent rightly where it answers: it sleeps on, and an answer off the rest ends it")
  func answers() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub())
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      wakeUp.signal(after: 2.5)
      try expectEqual(source.next(leaving: flat, interruptedBy: wakeUp), nil)
      wakeUp.drain()
      kernel.set("in_accel_x_raw", of: chipPath, to: "40")
      let moved = try source.next(leaving: flat, interruptedBy: wakeUp)
      expectEqual(moved?.acceleration, Acceleration(x: 40 * 0.00980665, y: 0, z: -1000 * 0.00980665))
    }
  }

  @Test(
    "that has reported nothing since it was opened is asked soon again: it may have been left without power")
  func unproven() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub(hysteresis: "0.02"))
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      // After the first check.
      let path = kernel.file(of: "in_accel_x_raw", of: chipPath)
      later(2) {
        let file = open(path, O_WRONLY | O_TRUNC)
        _ = write(file, "40\n", 3)
        close(file)
      }
      wakeUp.signal(after: 10)
      let moved = try source.next(leaving: flat, interruptedBy: wakeUp)
      expectEqual(moved?.acceleration.x, 40 * 0.00980665)
    }
  }

  @Test("is dead where it does not answer, or answers something far from what it last reported")
  func dead() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub())
      let sensor = try #require(try onlySensor())
      let silent = SourceError.silent(device: "accel_3d (iio:device0)", seconds: 1.5)
      for isMute in [true, false] {
        var source = try BufferedSource(sensor, rate: 25)
        let wakeUp = try WakeUpEvent()
        kernel.deliver(scan(0, 0, -1000), to: "iio:device0")
        #expect(try source.next(interruptedBy: wakeUp) != nil)
        if isMute {
          faults_set(try #require(descriptors(ofPath: "in_accel_y_raw").first), EIO)
        } else {
          // What the kernel makes of a hub that does not answer.
          kernel.set("in_accel_z_raw", of: chipPath, to: "0")
        }
        #expect(throws: silent) { _ = try source.next(leaving: flat, interruptedBy: wakeUp) }
        if isMute { faults_set(try #require(descriptors(ofPath: "in_accel_y_raw").first), 0) }
      }
    }
  }

  @Test("says by its silence that nothing changes: its last sample holds at the full rate")
  func holds() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub(hysteresis: "0.02"))
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      // It has nothing to report: the first sample is its answer.
      let first = try #require(try source.next(interruptedBy: wakeUp))
      expectEqual(first.acceleration, Acceleration(x: 0, y: 0, z: -1000 * 0.00980665))
      kernel.deliver(scan(0, -1000, 0), to: "iio:device0")
      var last = try #require(try source.next(interruptedBy: wakeUp))
      // After 1.5 s it is asked, and what it says holds from there on.
      kernel.set("in_accel_y_raw", of: chipPath, to: "-1000")
      kernel.set("in_accel_z_raw", of: chipPath, to: "0")
      for _ in 0..<60 {
        let sample = try #require(try source.next(interruptedBy: wakeUp))
        expectEqual(sample.acceleration.y, last.acceleration.y)
        #expect(sample.time > last.time && sample.time.seconds(since: last.time) < 1)
        last = sample
      }
    }
  }

  @Test("is told a sensitivity above its noise, and only once, where it has much of it")
  func noise() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub())
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      wakeUp.signal()
      try expectEqual(source.next(leaving: flat, interruptedBy: wakeUp), nil)
      expectEqual(kernel.attribute("in_accel_hysteresis", of: chipPath), "0.02")
      let noisy = Rest(at: flat.acceleration, tolerance: 0.05 * standardGravity)
      for _ in 0..<2 {
        try expectEqual(source.next(leaving: noisy, interruptedBy: wakeUp), nil)
        expectEqual(kernel.attribute("in_accel_hysteresis", of: chipPath), "0.05")
      }
    }
  }

  @Test("that does not heed it is slowed down instead, and set to its rate again when the tablet moves")
  func chatter() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub())
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      let node = kernel.writer(to: "iio:device0")
      later(0) {
        for _ in 0..<12 {
          let bytes = scan(0, 0, -1000)
          _ = write(node, bytes, bytes.count)
          usleep(40_000)
        }
        #expect(line(ofAttribute: attribute + "in_accel_hysteresis") == "0.0")
        #expect(line(ofAttribute: attribute + "in_accel_sampling_frequency") == "5.27")
        let bytes = scan(0, -1000, 0)
        _ = write(node, bytes, bytes.count)
      }
      let moved = try source.next(leaving: flat, interruptedBy: wakeUp)
      expectEqual(moved?.acceleration.y, -1000 * 0.00980665)
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "25.0")
    }
  }
}

@Suite("A sensor hub that falls silent although nobody told it to")
struct QuietHubTests {
  init() { useMockKernel() }

  private static let silent = SourceError.silent(device: "accel_3d (iio:device0)", seconds: 1.5)

  @Test(
    "reports changes only, where it answers what it last reported: its last sample holds, at rest as well")
  func holds() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub())
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      kernel.deliver(scan(0, 0, -1000), to: "iio:device0")
      for _ in 0..<30 {
        let sample = try #require(try source.next(interruptedBy: wakeUp))
        expectEqual(sample.acceleration.z, -1000 * 0.00980665)
      }
      kernel.deliver(scan(0, -1000, 0), to: "iio:device0")
      try expectEqual(source.next(leaving: flat, interruptedBy: wakeUp)?.acceleration.y, -1000 * 0.00980665)
    }
  }

  @Test("does so where it refuses every sensitivity, and its rest ends with its report")
  func refusesSensitivity() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub(hysteresis: "none"))
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      kernel.deliver(scan(0, 0, -1000), to: "iio:device0")
      let node = kernel.writer(to: "iio:device0")
      // Slowed down at first, and asked after 1.5 s.
      later(2.5) {
        let bytes = scan(0, -1000, 0)
        _ = write(node, bytes, bytes.count)
      }
      let moved = try source.next(leaving: flat, interruptedBy: wakeUp)
      expectEqual(moved?.acceleration.y, -1000 * 0.00980665)
      expectEqual(source.withholdsReports, false)
    }
  }

  @Test("works where it lay still from the start, and answers what may be gravity of a wrong scale")
  func liesStill() async {
    await #expect(processExitsWith: .success) {
      for answer in ["-1000", "-100", "-20000"] {
        let kernel = MockKernel()
        kernel.addDevice("iio:device0", attributes: hub(z: answer))
        var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
        let sample = try source.next(interruptedBy: try WakeUpEvent())
        expectEqual(sample?.acceleration.z, try #require(Double(answer)) * 0.00980665)
      }
    }
  }

  @Test("is broken where it has reported the same twice, answers something else, or no gravity")
  func broken() async {
    await #expect(processExitsWith: .success) {
      for (reports, answer, withholds) in [
        (scan(0, 0, -1000) + scan(0, 0, -1000), "-1000", false), (scan(0, 0, -1000), "-100", true),
        ([], "0", false),
      ] {
        let kernel = MockKernel()
        kernel.addDevice("iio:device0", attributes: hub(z: answer))
        var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
        let wakeUp = try WakeUpEvent()
        if !reports.isEmpty { kernel.deliver(reports, to: "iio:device0") }
        for _ in 0..<(reports.count / scan(0, 0, 0).count) { _ = try source.next(interruptedBy: wakeUp) }
        #expect(throws: Self.silent) { _ = try source.next(interruptedBy: wakeUp) }
        expectEqual(source.withholdsReports, withholds)
      }
    }
  }

  @Test("proves by three reports that its buffer lives, and not by the one of its being powered up")
  func proof() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub())
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      kernel.deliver(scan(0, 0, -1000), to: "iio:device0")
      #expect(throws: Self.silent) { _ = try source.proveReports(interruptedBy: wakeUp) }
      let node = kernel.writer(to: "iio:device0")
      later(0) {
        for count in 1...2 {
          usleep(100_000)
          let bytes = scan(Int16(count), 0, -1000)
          _ = write(node, bytes, bytes.count)
        }
      }
      // Whoever interrupts it is no proof.
      wakeUp.signal()
      expectEqual(try source.proveReports(interruptedBy: wakeUp), false)
      wakeUp.drain()
      expectEqual(try source.proveReports(interruptedBy: wakeUp), true)
      try expectEqual(source.next(interruptedBy: wakeUp)?.acceleration.x, 2 * 0.00980665)
    }
  }
}

@Suite("A buffered sensor without change sensitivity, at rest")
struct BufferedRestTests {
  init() { useMockKernel() }

  @Test("is slowed down, and is at its full rate again when the rest is over, however it ends")
  func slowed() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub(hysteresis: nil))
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      later(0.2) {
        #expect(line(ofAttribute: attribute + "in_accel_sampling_frequency") == "5.27")
      }
      wakeUp.signal(after: 0.4)
      try expectEqual(source.next(leaving: flat, interruptedBy: wakeUp), nil)
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "25.0")
      expectEqual(source.sampleRate, 25)
      wakeUp.drain()
      #expect(throws: SourceError.silent(device: "accel_3d (iio:device0)", seconds: 1.5)) {
        _ = try source.next(leaving: flat, interruptedBy: wakeUp)
      }
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "25.0")
    }
  }

  @Test(
    "that takes the slow rate and goes on as before is fetched from seldom, and left at its rate from then on"
  )
  func refusesSlowRate() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub(hysteresis: nil))
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      let node = kernel.writer(to: "iio:device0")
      later(0) {
        for count in 0..<30 {
          let bytes = scan(Int16(count % 2), 0, -1000)
          _ = write(node, bytes, bytes.count)
          usleep(40_000)
        }
        #expect(line(ofAttribute: attribute + "in_accel_sampling_frequency") == "25.0")
        let bytes = scan(0, -1000, 0)
        _ = write(node, bytes, bytes.count)
      }
      try expectEqual(source.next(leaving: flat, interruptedBy: wakeUp)?.acceleration.y, -1000 * 0.00980665)
      wakeUp.signal()
      try expectEqual(source.next(leaving: flat, interruptedBy: wakeUp), nil)
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "25.0")
    }
  }

  @Test("that has delivered more than a block since the last look is not read later and later")
  func backlog() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub(hysteresis: nil))
      var source = try BufferedSource(try #require(try onlySensor()), rate: 50)
      let wakeUp = try WakeUpEvent()
      var seconds: [Double] = []
      // On a busy machine, one of them may be late.
      for _ in 0..<4 {
        let start = BootTime.now
        // Ten times what is read at once, which is all that the mock device holds: two seconds of looks.
        kernel.deliver((0..<160).flatMap { _ in scan(0, 0, -1000) }, to: "iio:device0")
        kernel.deliver(scan(0, -300, -950), to: "iio:device0")
        let moved = try #require(try source.next(leaving: flat, interruptedBy: wakeUp))
        expectEqual(moved.acceleration.y, -300 * 0.00980665)
        seconds.append(BootTime.now.seconds(since: start))
      }
      #expect(seconds.contains { $0 < 1 })
    }
  }

  @Test("that delivers blocks is left at its rate, and fetched from seldom")
  func fetched() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hub(hysteresis: nil))
      var source = try BufferedSource(try #require(try onlySensor()), rate: 100)
      let wakeUp = try WakeUpEvent()
      let start = BootTime.now
      kernel.deliver(scan(0, 0, -1000) + scan(0, -300, -950) + scan(0, -500, -850), to: "iio:device0")
      let moved = try #require(try source.next(leaving: flat, interruptedBy: wakeUp))
      expectEqual(moved.acceleration.y, -300 * 0.00980665)
      #expect(BootTime.now.seconds(since: start) >= 0.15)
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "100.0")
      try expectEqual(source.next(interruptedBy: wakeUp)?.acceleration.y, -500 * 0.00980665)
      #expect(throws: SourceError.silent(device: "accel_3d (iio:device0)", seconds: 1.5)) {
        _ = try source.next(leaving: flat, interruptedBy: wakeUp)
      }
    }
  }
}
