// SPDX-License-Identifier: Apache-2.0

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
