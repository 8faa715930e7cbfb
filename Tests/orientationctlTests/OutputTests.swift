// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import orientationctl

@Suite("orientationctl's output")
struct OutputTests {
  @Test("quotes what JSON does not take in a string")
  func json() throws {
    let text = "\"back\\slash\" \n\t\u{1} ü 😀"
    let value = JSON.object([
      .init("a", .string(text)), .init("b", .number(.nan)), .init("c", .array([.null])),
    ])
    let read = try object(value.text)
    #expect(read["a"] as? String == text)
    #expect(value.text.hasSuffix("\"b\":null,\"c\":[null]}"))
  }

  @Test("rounds decimals")
  func decimals() {
    #expect(decimal(12.34, places: 3) == "12.340")
    #expect(decimal(-0.0004, places: 3) == "0.000")
    #expect(decimal(-0.25, places: 2) == "-0.25")
    #expect(decimal(99.9996, places: 3) == "100.000")
    #expect([25, 12.5, 0.781, 100].map(shortDecimal) == ["25", "12.5", "0.781", "100"])
  }

  @Test("says what becomes of the sensor, and nothing of what a person does not care for")
  func sensorNews() {
    func device(_ name: String, _ status: String) -> DeviceSnapshot {
      var device = DeviceSnapshot()
      (device.hasAccelerometer, device.sensorName, device.sensorStatus) = (!name.isEmpty, name, status)
      return device
    }
    let absent = device("", "absent")
    #expect(SensorNews(of: absent) == .absent)
    #expect(SensorNews(of: device("a", "idle")) == .used("a"))
    #expect(SensorNews(of: device("a", "failed")) == .failed("a"))
    #expect(SensorNews(from: absent, to: device("a", "starting")) == .appeared("a"))
    #expect(SensorNews(from: device("a", "active"), to: absent) == .lost("a"))
    #expect(SensorNews(from: device("a", "active"), to: device("b", "active")) == .used("b"))
    #expect(SensorNews(from: device("a", "active"), to: device("a", "silent")) == .silent("a"))
    #expect(SensorNews(from: device("a", "failed"), to: device("a", "active")) == .works("a"))
    #expect(SensorNews(from: device("a", "starting"), to: device("a", "active")) == nil)
  }
}
