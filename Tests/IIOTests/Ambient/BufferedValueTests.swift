// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Testing

@testable import IIO

@Suite("A light sensor or compass of a hub, through its buffer")
struct BufferedValueTests {
  init() { useMockKernel() }

  @Test(
    "delivers scaled values, at its own rate, with all channels enabled, as drivers of hubs fill them all; closed, all is off"
  )
  func scaled() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: lightHubAttributes())
      let sensor = try #require(try AmbientCatalog(near: nil).light)
      let wakeUp = try WakeUpEvent()
      do {
        var source = try BufferedValue(sensor)
        expectEqual(kernel.attribute("in_illuminance_sampling_frequency", of: chipPath), "2.0")
        expectEqual(kernel.attribute("buffer/enable", of: chipPath), "1")
        for channel in ["illuminance", "intensity_both"] {
          expectEqual(kernel.attribute("scan_elements/in_\(channel)_en", of: chipPath), "1")
        }
        expectEqual(kernel.attribute("scan_elements/in_timestamp_en", of: chipPath), "0")
        kernel.deliver(lightHubScan(7), to: "iio:device0")
        expectEqual(try source.next(interruptedBy: wakeUp), 7 * 0.1)
        // Of several, only the latest is of interest.
        kernel.deliver(lightHubScan(8) + lightHubScan(9), to: "iio:device0")
        expectEqual(try source.next(interruptedBy: wakeUp), 9 * 0.1)
      }
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "0")
      expectEqual(kernel.attribute("scan_elements/in_illuminance_en", of: chipPath), "0")
    }
  }

  @Test("a heading comes from the channel that takes the tilt into account, behind the field's axes")
  func compass() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: compassHubAttributes())
      var source = try BufferedValue(try #require(try AmbientCatalog(near: nil).compass))
      kernel.deliver(compassHubScan(magnetic: 2700), to: "iio:device0")
      expectEqual(try source.next(interruptedBy: try WakeUpEvent()), 270)
    }
  }

  @Test("a buffer that gives nothing at the start is of no use")
  func dead() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: lightHubAttributes())
      var source = try BufferedValue(try #require(try AmbientCatalog(near: nil).light))
      #expect(throws: SourceError.silent(device: "als (iio:device0)", seconds: 1.5)) {
        _ = try source.next(interruptedBy: try WakeUpEvent())
      }
    }
  }

  @Test("a hub that says the same when it is asked keeps silent rightly")
  func rightlySilent() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: lightHubAttributes("1234"))
      var source = try BufferedValue(try #require(try AmbientCatalog(near: nil).light))
      let wakeUp = try WakeUpEvent()
      kernel.deliver(lightHubScan(1234), to: "iio:device0")
      expectEqual(try source.next(interruptedBy: wakeUp), 123.4)
      let start = BootTime.now
      expectEqual(try source.next(interruptedBy: wakeUp), 123.4)
      #expect(abs(BootTime.now.seconds(since: start) - 1.5) < 0.4)
      // The next time it is asked later.
      expectEqual(try source.next(interruptedBy: wakeUp), 123.4)
      #expect(BootTime.now.seconds(since: start) > 4.4)
      kernel.deliver(lightHubScan(2000), to: "iio:device0")
      expectEqual(try source.next(interruptedBy: wakeUp), 200)
    }
  }

  @Test("a hub that says otherwise when it is asked has a dead buffer; what it says is heard at once")
  func contradiction() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: lightHubAttributes("2000"))
      var source = try BufferedValue(try #require(try AmbientCatalog(near: nil).light))
      let wakeUp = try WakeUpEvent()
      kernel.deliver(lightHubScan(1000), to: "iio:device0")
      expectEqual(try source.next(interruptedBy: wakeUp), 100)
      expectEqual(try source.next(interruptedBy: wakeUp), 200)
      kernel.set("in_illuminance_raw", of: chipPath, to: "3000")
      #expect(throws: SourceError.silent(device: "als (iio:device0)", seconds: 1.5)) {
        _ = try source.next(interruptedBy: wakeUp)
      }
    }
  }

  @Test("ends its wait when it is told to")
  func interruption() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: lightHubAttributes())
      var source = try BufferedValue(try #require(try AmbientCatalog(near: nil).light))
      let wakeUp = try WakeUpEvent()
      wakeUp.signal()
      expectEqual(try source.next(interruptedBy: wakeUp), nil)
    }
  }
}
