// SPDX-License-Identifier: Apache-2.0

import IIO

@testable import Evdev
@testable import OrientationService
@testable import SensorSetup

/// Short texts of sysfs and of the command line, where there is one right spelling of each.
func checkWords(_ input: [UInt8]) throws(Violation) {
  let text = String(decoding: input, as: UTF8.self)
  if let request = SensorRequest(parsing: text) {
    try expect(
      SensorRequest(parsing: request.description) == request, "'\(request)' is not what it is written as")
  }
  if let size = PanelSize(ofMode: text) {
    try expect((1...65535).contains(size.width) && (1...65535).contains(size.height), "a panel of \(size)")
  }
  if let mask = EventMask(parsing: text) {
    for code: UInt16 in [0, 1, 63, 64, 767, 768, .max] { _ = mask.contains(code) }
    try expect(!mask.contains(.max) || input.count > 8000, "code 65535 of a short mask")
  }
  let arguments = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  if case .serve(let options)? = try? Options.parse(arguments) {
    try expect(options.configurationPath != "" && options.stateFolder != "", "an empty value")
  }
}
