// SPDX-License-Identifier: Apache-2.0

import Glibc
import MockDevices
import Orientation
import Testing

@testable import IIO

@Suite("A driver that says what nothing can be")
struct AbsurdDriverTests {
  init() { useMockKernel() }

  @Test("has frequencies that are not believed, and samples at the wanted rate all the same")
  func frequencies() async {
    await #expect(processExitsWith: .success) {
      for text in ["1e-10", "1e-300", "0.000000001", "1e300", "[0 1 1e-10]"] {
        let kernel = MockKernel()
        var attributes = hubAttributes()
        attributes["in_accel_sampling_frequency_available"] = text
        // So that it counts as one that reports changes only, whose silence is waited for by its period.
        attributes["in_accel_hysteresis"] = "0.01"
        kernel.addDevice("iio:device0", attributes: attributes)
        kernel.addDevice("trigger0", attributes: hubTrigger)
        let sensor = try #require(try onlySensor())
        expectEqual(sensor.availableFrequencies, .unknown, text)
        var source = try BufferedSource(sensor, rate: 25)
        expectEqual(source.sampleRate, 25, text)
        let wakeUp = try WakeUpEvent()
        kernel.deliver(hubScan(0, -1000, 0, nanoseconds: BootTime.now.nanoseconds), to: "iio:device0")
        #expect(try source.next(interruptedBy: wakeUp) != nil, "\(text)")
        #expect(try source.next(interruptedBy: wakeUp) != nil, "\(text)")
      }
    }
  }

  @Test("is waited for by a minute, however long it says that it takes", arguments: [1e9, 1e300, .infinity])
  func wait(seconds: Double) throws {
    let wakeUp = try WakeUpEvent(isWatched: true)
    wakeUp.signal()
    #expect(wakeUp.wait(seconds: seconds) == .signalled)
  }

  @Test("has a scale or an offset that no sensor has, which is malformed")
  func scales() async {
    await #expect(processExitsWith: .success) {
      let cases = [
        ("in_accel_scale", "1e300"), ("in_accel_scale", "-1e-300"), ("in_accel_offset", "1e300"),
        ("in_accel_offset", "-1e19"),
      ]
      for (attribute, text) in cases {
        let kernel = MockKernel()
        var attributes = chipAttributes()
        attributes[attribute] = text
        kernel.addDevice("iio:device0", attributes: attributes)
        let sensor = try #require(try onlySensor())
        do throws(SourceError) {
          _ = try PolledSource(sensor, rate: 25)
          Issue.record("it is opened with \(attribute) \(text)")
        } catch {
          let path = "\(IIOMachine.devicesDirectory)/iio:device0/\(attribute)"
          #expect("\(error)".hasPrefix("\(path): "), "\(text): \(error)")
        }
      }
    }
  }

  @Test("has two channels with one index, of different types: its buffer is refused, and it is polled")
  func sharedIndex() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = hubAttributes()
      attributes["scan_elements/in_accel_y_index"] = "0"
      attributes["scan_elements/in_accel_y_type"] = "be:u64/64>>0"
      kernel.addDevice("iio:device0", attributes: attributes)
      kernel.addDevice("trigger0", attributes: hubTrigger)
      let sensor = try #require(try onlySensor())
      // In the order in which libiio has them, which is any.
      let reasons = [("le:s16/32>>0", "be:u64/64>>0"), ("be:u64/64>>0", "le:s16/32>>0")].map {
        "two channels have the scan index 0, but the formats \($0) and \($1)"
      }
      do throws(SourceError) {
        _ = try BufferedSource(sensor, rate: 25)
        Issue.record("it is opened")
      } catch {
        let refusals = reasons.map { SourceError.noBuffer(device: "accel_3d (iio:device0)", reason: $0) }
        #expect(refusals.contains(error), "\(error)")
      }
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "0")
      var source = try PolledSource(sensor, rate: 25)
      expectEqual(try source.next(interruptedBy: try WakeUpEvent())?.acceleration.y, -1000 * 0.009806650)
    }
  }
}
