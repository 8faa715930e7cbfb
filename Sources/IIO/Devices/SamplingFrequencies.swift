// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The sampling frequencies that a device supports, in hertz: the content of its `sampling_frequency_available`.
package enum AvailableFrequencies: Equatable, Sendable {
  /// Only these.
  case list([Double])
  /// All from `minimum` to `maximum` in steps of `step`: `[min step max]` in sysfs.
  case range(minimum: Double, step: Double, maximum: Double)
  /// The device has no such attribute. HID sensor hubs have none, and accept any frequency.
  case unknown

  /// Parses the text of a `sampling_frequency_available` attribute (Documentation/ABI/testing/sysfs-bus-iio).
  ///
  /// Words that are not a number, and numbers that cannot be a frequency, are ignored: a malformed list is no reason to
  /// refuse a sensor. A text without any frequency is ``unknown``.
  package init(parsing text: String) {
    let isRange = text.utf8.contains(UInt8(ascii: "["))
    let numbers = text.utf8.split { " \t\n[],".utf8.contains($0) }.compactMap { finiteNumber(Substring($0)) }
    if isRange, numbers.count == 3, 0 <= numbers[0], numbers[0] <= numbers[2],
      credibleFrequency(numbers[2]) != nil
    {
      self = .range(minimum: numbers[0], step: numbers[1], maximum: numbers[2])
      return
    }
    let usable = numbers.compactMap { credibleFrequency($0) }
    self = usable.isEmpty || isRange ? .unknown : .list(usable.sorted())
  }

  /// The frequency to set for a wanted one: the nearest available frequency at or above it, or else the highest.
  ///
  /// The tolerance of a thousandth lets a device that reports 24.999 serve as one with 25 Hz.
  package func choice(for wanted: Double) -> Double {
    let least = wanted * 0.999
    switch self {
    case .list(let frequencies):
      return frequencies.filter { $0 >= least }.min() ?? frequencies.max() ?? wanted
    case .range(let minimum, let step, let maximum):
      guard wanted > minimum else { return minimum > 0 ? minimum : min(max(step, wanted), maximum) }
      guard step > 0 else { return min(wanted, maximum) }
      let steps = ((least - minimum) / step).rounded(.up)
      return min(minimum + max(steps, 0) * step, maximum)
    case .unknown:
      return wanted
    }
  }

  /// The frequencies to try for a wanted one, the best first: some drivers refuse a frequency that they list.
  func choices(for wanted: Double) -> [Double] {
    let best = choice(for: wanted)
    guard case .list(let frequencies) = self else { return [best] }
    return frequencies.filter { $0 >= best }.sorted() + frequencies.filter { $0 < best }.sorted { $0 > $1 }
  }
}

extension IIOChannel {
  /// Sets the sampling frequency, in hertz, to the first of these that the driver accepts.
  ///
  /// Returns the frequency afterwards; nil if there is no such attribute, or its value is not credible.
  func setSamplingFrequency(_ frequencies: [Double], keeping settings: OwnSettings) -> Double? {
    guard let file = samplingFrequencyFile else { return nil }
    settings.keeping(file) {
      _ = frequencies.first { writeAttribute("\(device.directory)/\(file)", "\($0)") != EINVAL }
    }
    return samplingFrequency.flatMap { credibleFrequency($0) }
  }

  /// The sampling frequency; nil if there is none.
  var samplingFrequency: Double? { (try? number("sampling_frequency")) ?? nil }

  /// The sampling frequencies that are supported.
  var availableFrequencies: AvailableFrequencies {
    let text = (try? attribute("sampling_frequency_available")) ?? nil
    return text.map(AvailableFrequencies.init(parsing:)) ?? .unknown
  }

  /// The name of the file that holds the sampling frequency; nil if the driver has none.
  var samplingFrequencyFile: String? { file(of: "sampling_frequency") }
}

/// The sampling frequencies that are accepted from a driver, in hertz.
///
/// Motion sensors in Linux measure from 0.78 times a second (kxcjk-1013) to 26,667 times (iis3dwb), and no tablet needs
/// either extreme. A value far outside these limits is a driver's mistake or an attack. As a period, it would cause an
/// endless wait, a loop without a pause, or a number that no integer can hold. So it is treated as missing.
let credibleFrequencies = 0.1...1e6

/// A sampling frequency that a driver reports, in hertz; nil if no sensor can have it.
func credibleFrequency(_ frequency: Double) -> Double? {
  credibleFrequencies.contains(frequency) ? frequency : nil
}
