// SPDX-License-Identifier: Apache-2.0

import CFaults
import Foundation
import MockDevices
import Orientation
import Synchronization
import TestSupport
import Testing

@testable import IIO

/// A hub whose buffer another program has on.
private func takenHub() -> [String: String] {
  hubAttributes().merging(["buffer/enable": "1", "buffer/length": "128", "scan_elements/in_accel_x_en": "1"])
  {
    $1
  }
}

/// All that a device shows at present.
private func allAttributes(
  _ kernel: borrowing MockKernel, like attributes: [String: String]
) -> [String: String] {
  var present: [String: String] = [:]
  for name in attributes.keys { present[name] = kernel.attribute(name, of: chipPath) }
  return present
}

private let hubIsBusy = SourceError.busy(device: "accel_3d (iio:device0)")

@Suite("A buffer that another program has")
struct TakenBufferTests {
  init() { useMockKernel() }

  @Test("is left exactly as it is, with all that goes with it, where its sensor is opened either way")
  func untouched() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: takenHub())
      kernel.addDevice("trigger0", attributes: hubTrigger)
      let sensor = try #require(try onlySensor())
      #expect(throws: hubIsBusy) { _ = try BufferedSource(sensor, rate: 25) }
      #expect(throws: hubIsBusy) { _ = try BufferedSource(sensor, rate: 25, beside: Neighbour()) }
      var source = try PolledSource(sensor, rate: 25)
      expectEqual(try source.next(interruptedBy: try WakeUpEvent())?.acceleration.y, -9.80665)
      expectEqual(allAttributes(kernel, like: takenHub()), takenHub())
      _ = consume source
      expectEqual(allAttributes(kernel, like: takenHub()), takenHub())
    }
  }

  @Test("is left exactly as it is by light sensors and compasses")
  func untouchedByAmbientSensors() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      let attributes = lightHubAttributes().merging(["buffer/enable": "1"]) { $1 }
      kernel.addDevice("iio:device0", attributes: attributes)
      let light = try #require(try AmbientCatalog(near: nil).light)
      #expect(throws: SourceError.busy(device: "als (iio:device0)")) { _ = try BufferedValue(light) }
      _ = try PolledValue(light)
      expectEqual(allAttributes(kernel, like: attributes), attributes)
    }
  }

  @Test("is come back to some seconds after it has become free, but only for who wants that")
  func becomesFree() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: takenHub())
      let sensor = try #require(try onlySensor())
      var recorder = try PolledSource(sensor, rate: 25)
      var source = try PolledSource(sensor, rate: 25, beside: Neighbour())
      kernel.set("buffer/enable", of: chipPath, to: "0")
      let wakeUp = try WakeUpEvent()
      let start = BootTime.now
      #expect(throws: SourceError.bufferIsFree(device: "accel_3d (iio:device0)")) {
        while try source.next(interruptedBy: wakeUp) != nil, BootTime.now.seconds(since: start) < 10 {}
      }
      for _ in 0..<3 { #expect(try recorder.next(interruptedBy: wakeUp) != nil) }
    }
  }

  @Test("is come back to from a rest, too")
  func becomesFreeAtRest() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: takenHub())
      var source = try PolledSource(try #require(try onlySensor()), rate: 25, beside: Neighbour())
      kernel.set("buffer/enable", of: chipPath, to: "0")
      let wakeUp = try WakeUpEvent()
      wakeUp.signal(after: 10)
      #expect(throws: SourceError.bufferIsFree(device: "accel_3d (iio:device0)")) {
        _ = try source.next(leaving: rest(0, -1, 0), interruptedBy: wakeUp)
      }
    }
  }

  @Test("and whose driver lets nobody read beside it is a failure that says so")
  func refusesReads() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: takenHub())
      var source = try PolledSource(try #require(try onlySensor()), rate: 25)
      for file in descriptors(ofPath: "in_accel_x_raw") { faults_set(file, EBUSY) }
      let error = SourceError.refusedBesideBuffer(device: "accel_3d (iio:device0)")
      let wakeUp = try WakeUpEvent()
      #expect(throws: error) { _ = try source.next(interruptedBy: wakeUp) }
      wakeUp.signal(after: 10)
      #expect(throws: error) { _ = try source.next(leaving: rest(0, -1, 0), interruptedBy: wakeUp) }
    }
  }

  @Test("is nobody's where it is on, no process has its node open, and iio-sensor-proxy is known not to run")
  func leftOn() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: takenHub())
      let sensor = try #require(try onlySensor())
      let neighbour = Neighbour()
      neighbour.become(isThere: false)
      let source = try BufferedSource(sensor, rate: 25, beside: neighbour)
      expectEqual(kernel.attribute("buffer/length", of: chipPath), "8")
      _ = consume source
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "0")
      kernel.set("buffer/enable", of: chipPath, to: "1")
      faults_set_open("/dev/iio:device0", EBUSY)
      #expect(throws: hubIsBusy) { _ = try BufferedSource(sensor, rate: 25, beside: neighbour) }
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "1")
    }
  }

  @Test("since a moment ago has a hub that reports not only changes, even where it is left as it is")
  func sensitivityTakenBack() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice(
        "iio:device0", attributes: hubAttributes().merging(["in_accel_hysteresis": "0.00"]) { $1 })
      var source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      kernel.deliver(hubScan(0, -1000, 0, nanoseconds: 0), to: "iio:device0")
      #expect(try source.next(interruptedBy: wakeUp) != nil)
      wakeUp.signal()
      _ = try source.next(leaving: rest(0, -1, 0), interruptedBy: wakeUp)
      wakeUp.drain()
      expectEqual(kernel.attribute("in_accel_hysteresis", of: chipPath), "0.02")
      kernel.set("buffer/enable", of: chipPath, to: "1")
      #expect(throws: hubIsBusy) { while try source.next(interruptedBy: wakeUp) != nil {} }
      _ = consume source
      expectEqual(kernel.attribute("in_accel_hysteresis", of: chipPath), "0.00")
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "1")
    }
  }

  @Test("since a moment ago is noticed while samples come and while none come, and is not switched off")
  func takenMeanwhile() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      let sensor = try #require(try onlySensor())
      for hasSamples in [false, true] {
        kernel.set("buffer/enable", of: chipPath, to: "0")
        var source = try BufferedSource(sensor, rate: 25)
        let wakeUp = try WakeUpEvent()
        if hasSamples { kernel.deliver(hubScan(0, -1000, 0, nanoseconds: 0), to: "iio:device0") }
        // As iio-sensor-proxy does that finds the buffer on.
        kernel.set("buffer/enable", of: chipPath, to: "1")
        let start = BootTime.now
        #expect(throws: hubIsBusy) { while try source.next(interruptedBy: wakeUp) != nil {} }
        #expect(BootTime.now.seconds(since: start) < BufferedSource.silenceLimit)
        _ = consume source
        expectEqual(kernel.attribute("buffer/enable", of: chipPath), "1")
        expectEqual(kernel.attribute("scan_elements/in_accel_x_en", of: chipPath), "1")
        // Set back, it might be one at which the sensor says nothing to whoever has the buffer now.
        expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "25.0")
      }
    }
  }

  @Test("since a moment ago is not switched off by who closes it, even where nobody has noticed")
  func reconfigured() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      let source = try BufferedSource(try #require(try onlySensor()), rate: 25)
      kernel.set("buffer/length", of: chipPath, to: "128")
      _ = consume source
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "1")
      expectEqual(kernel.attribute("buffer/length", of: chipPath), "128")
    }
  }
}

/// A device that has one attribute, in a folder, and what is set of it, with its mark beside it.
private struct DeviceOfOneAttribute {
  let file: String
  let path: String
  let markPath: String
  let settings: OwnSettings
  let folder: TemporaryFolder

  init(_ file: String, at value: String) throws {
    folder = try TemporaryFolder()
    self.file = file
    path = try folder.write("\(value)\n", to: "iio:device0/\(file)")
    markPath = "\(folder.path)/mark"
    settings = OwnSettings(
      of: IIODevice(id: "iio:device0", name: "accel_3d", files: [file], in: folder.path), markPath: markPath)
  }

  var mark: String { (try? String(contentsOfFile: markPath, encoding: .utf8)) ?? "" }
}

@Suite("What is set of a sensor")
struct OwnSettingsTests {
  init() { useMockKernel() }

  @Test("is what it was before, once the sensor is closed")
  func takenBack() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      let attributes = hubAttributes().merging(["trigger/current_trigger": ""]) { $1 }
      kernel.addDevice("iio:device0", attributes: attributes)
      kernel.addDevice("trigger0", attributes: hubTrigger)
      let sensor = try #require(try onlySensor())
      let buffered = try BufferedSource(sensor, rate: 200)
      #expect(allAttributes(kernel, like: attributes) != attributes)
      _ = consume buffered
      expectEqual(allAttributes(kernel, like: attributes), attributes)
      let polled = try PolledSource(sensor, rate: 50)
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "50.0")
      _ = consume polled
      expectEqual(allAttributes(kernel, like: attributes), attributes)
    }
  }

  @Test("stays where somebody else has set it since")
  func changedSince() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      let source = try PolledSource(try #require(try onlySensor()), rate: 50)
      kernel.set("in_accel_sampling_frequency", of: chipPath, to: "100.0")
      _ = consume source
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "100.0")
    }
  }

  @Test("is taken back even if a busy hub does not say what is set just now")
  func unreadable() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      let attributes = hubAttributes().merging(["in_accel_hysteresis": "0.00"]) { $1 }
      kernel.addDevice("iio:device0", attributes: attributes)
      let sensor = try #require(try onlySensor())
      // Whichever of its reads fails.
      for skipped in 0..<30 {
        var source = try BufferedSource(sensor, rate: 25)
        let wakeUp = try WakeUpEvent()
        wakeUp.signal()
        _ = try source.next(leaving: rest(0, -1, 0), interruptedBy: wakeUp)
        expectEqual(kernel.attribute("in_accel_hysteresis", of: chipPath), "0.02")
        faults_fail_call(FAULTS_READ, CInt(skipped), EIO)
        _ = consume source
        faults_fail_call(FAULTS_READ, 1_000_000, EIO)
        expectEqual(allAttributes(kernel, like: attributes), attributes)
      }
    }
  }

  @Test("is taken back even if a busy hub does not say what was set, just after that")
  func unreadableWhenSet() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      let attributes = hubAttributes().merging(["in_accel_hysteresis": "0.00"]) { $1 }
      kernel.addDevice("iio:device0", attributes: attributes)
      let sensor = try #require(try onlySensor())
      // Whichever of its reads fails.
      for skipped in 0..<30 {
        var source = try BufferedSource(sensor, rate: 25)
        let wakeUp = try WakeUpEvent()
        wakeUp.signal()
        faults_fail_call(FAULTS_READ, CInt(skipped), EIO)
        _ = try source.next(leaving: rest(0, -1, 0), interruptedBy: wakeUp)
        faults_fail_call(FAULTS_READ, 1_000_000, EIO)
        _ = consume source
        expectEqual(allAttributes(kernel, like: attributes), attributes)
      }
    }
  }

  @Test("is marked in a file while it is, by which the next daemon takes it back")
  func marked() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      let attributes = hubAttributes().merging(["in_accel_hysteresis": "0.00"]) { $1 }
      kernel.addDevice("iio:device0", attributes: attributes)
      let sensor = try #require(try onlySensor())
      let folder = try TemporaryFolder()
      let mark = "\(folder.path)/mark"
      let left = mark + "-left"
      for isReconfigured in [false, true] {
        var source = try BufferedSource(sensor, rate: 200, mark: mark)
        // What is set at a rest is marked as well.
        let wakeUp = try WakeUpEvent()
        wakeUp.signal()
        _ = try source.next(leaving: rest(0, -1, 0), interruptedBy: wakeUp)
        expectEqual(kernel.attribute("in_accel_hysteresis", of: chipPath), "0.02")
        try FileManager.default.copyItem(atPath: mark, toPath: left)
        if isReconfigured { kernel.set("buffer/length", of: chipPath, to: "128") }
        var after = attributes
        if isReconfigured {
          after = allAttributes(kernel, like: attributes)
          // Whoever has the buffer now waits for reports.
          after["in_accel_hysteresis"] = "0.00"
        }
        SettingsMark.takeBack(left)
        expectEqual(allAttributes(kernel, like: attributes), after)
        #expect(!FileManager.default.fileExists(atPath: left))
        _ = consume source
        #expect(!FileManager.default.fileExists(atPath: mark))
      }
    }
  }

  @Test(
    "is marked as soon as something is set, and the mark of a daemon that ended as it took it back counts, too"
  )
  func markedAtOnce() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      let sensor = try #require(try onlySensor())
      let device = sensor.device
      let folder = try TemporaryFolder()
      let mark = "\(folder.path)/mark"
      let settings = OwnSettings(of: device, markPath: mark)
      expectEqual(settings.set("buffer/length", to: "64"), 0)
      // A daemon that was killed right now, and another one whose driver hung as it took that back.
      try FileManager.default.copyItem(atPath: mark, toPath: "\(mark)-killed.left")
      SettingsMark.takeBack("\(mark)-killed")
      expectEqual(kernel.attribute("buffer/length", of: chipPath), "2")
      #expect(!FileManager.default.fileExists(atPath: "\(mark)-killed.left"))
      withExtendedLifetime(settings) {}
    }
  }

  @Test("is in the mark before a slow hub has taken it, in case the daemon is killed then")
  func markedBefore() throws {
    let device = try DeviceOfOneAttribute("in_accel_hysteresis", at: "0.0")
    let (file, path, settings) = (device.file, device.path, device.settings)
    settings.keep(file)
    settings.mark()
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    let meanwhile = Mutex("")
    let show: @Sendable (String) -> Void = { try? Data($0.utf8).write(to: URL(fileURLWithPath: path)) }
    let markPath = device.markPath
    later(0) {
      show("0.0")
      let taken = open(path, O_RDONLY)
      meanwhile.withLock { $0 = (try? String(contentsOfFile: markPath, encoding: .utf8)) ?? "" }
      var bytes = [UInt8](repeating: 0, count: 16)
      _ = read(taken, &bytes, bytes.count)
      close(taken)
      show("0.02")
    }
    #expect(settings.change(file, to: "0.02") == 0)
    #expect(meanwhile.withLock { $0 }.contains("\(file)\t0.0\t\n"))
    #expect(device.mark.contains("\(file)\t0.0\t0.02\n"))
    unlink(path)
  }

  @Test(
    "is in the mark before it is set, by which the next daemon takes it back, but not if it stays as it was")
  func markedMeanwhile() throws {
    let device = try DeviceOfOneAttribute("in_accel_sampling_frequency", at: "10")
    let (file, settings) = (device.file, device.settings)
    #expect(settings.keeping(file) { device.mark }.contains("\(file)\t10\t\n"))
    #expect(device.mark.isEmpty)
    for (value, before) in [("25", ""), ("50", "25")] {
      #expect(before.isEmpty || device.mark.contains("\(file)\t10\t\(before)\n"))
      let meanwhile = settings.keeping(file) {
        _ = try? device.folder.write("\(value)\n", to: "iio:device0/\(file)")
        return device.mark
      }
      #expect(meanwhile.contains("\(file)\t10\t\n"))
    }
    let left = try #require(
      SettingsMark(
        parsing: device.mark.replacing("\t50\n", with: "\t\n").replacing(
          device.folder.path, with: "/sys/devices")))
    #expect(left.settings.map(\.own) == [nil])
    OwnSettings(SettingsMark(directory: "\(device.folder.path)/iio:device0", settings: left.settings))
      .takeBack()
    #expect(try String(contentsOfFile: device.path, encoding: .utf8).hasPrefix("10"))
  }

  @Test("has a buffer that could not be switched on no longer in the mark, only what was set for it")
  func markedRefusal() throws {
    let device = try DeviceOfOneAttribute("in_accel_sampling_frequency", at: "10")
    device.settings.keep(device.file)
    // There is no such attribute.
    #expect(device.settings.enableBuffer() == ENOENT)
    #expect(device.mark.contains("\(device.file)\t10\t10\n") && !device.mark.contains("enable"))
  }

  @Test("that cannot be written leaves no half of one, and keeps nobody waiting")
  func unwritableMark() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      let folder = try TemporaryFolder()
      let mark = "\(folder.path)/mark"
      mkfifo(mark, 0o600)
      mkfifo("\(mark).new", 0o600)
      let source = try BufferedSource(try #require(try onlySensor()), rate: 25, mark: mark)
      #expect(SettingsMark(parsing: try String(contentsOfFile: mark, encoding: .utf8)) != nil)
      expectEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), ["mark"])
      _ = consume source
      expectEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
    }
  }

  @Test("is left alone by the next daemon where a process has the sensor's node open")
  func markOfHeldSensor() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      let folder = try TemporaryFolder()
      let mark = "\(folder.path)/mark"
      let source = try BufferedSource(try #require(try onlySensor()), rate: 25, mark: mark)
      faults_set_open("/dev/iio:device0", EBUSY)
      SettingsMark.takeBack(mark)
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "1")
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "25.0")
      withExtendedLifetime(source) {}
    }
  }
}

@Suite("The mark of what is set of a sensor")
struct SettingsMarkTests {
  private static let device = "/sys/devices/platform/chip/iio:device0"

  private static func text(_ lines: String..., device: String = device, end: String = "complete\n") -> String
  {
    (["orientationd has set, and what it was before:", device] + lines + [end]).joined(separator: "\n")
  }

  @Test("says the same when it is read as when it was written")
  func roundTrip() throws {
    let text = Self.text(
      "in_accel_sampling_frequency\t10.000000\t25.0", "trigger/current_trigger\t\taccel_3d-dev0",
      "buffer/enable\t0\t1")
    #expect(try #require(SettingsMark(parsing: text)).text == text)
  }

  @Test(
    "is none where it is cut off, or names what no daemon sets",
    arguments: [
      "", "complete\n", Self.text("buffer/enable\t0\t1", end: ""), Self.text("buffer/enable\t0"),
      Self.text("buffer/enable\t0\t1", device: "/sys/devices/../../etc/iio:device0"),
      Self.text("buffer/enable\t0\t1", device: "/etc/passwd"),
      Self.text("buffer/../../power/control\ton\tauto"), Self.text("../x_hysteresis\t0\t1"),
      Self.text("buffer/..\t0\t1"), Self.text("name\ta\tb"),
    ])
  func nonsense(_ text: String) {
    #expect(SettingsMark(parsing: text)?.text == nil)
  }
}
