// SPDX-License-Identifier: Apache-2.0

/// The sampling frequencies that a driver is believed, in hertz.
///
/// Sensors of motion in Linux measure from 0.78 times a second (kxcjk-1013) up to 26,667 times (iis3dwb), and no tablet needs
/// the ends of that. What lies far outside is a driver's mistake, or malice: as a period, it makes a wait without end, or
/// a loop without pause, or a number that no integer holds. It counts as not said.
let credibleFrequencies = 0.1...1e6

/// A sampling frequency that a driver says, in hertz; nil where nothing can have it.
func credibleFrequency(_ frequency: Double) -> Double? {
  credibleFrequencies.contains(frequency) ? frequency : nil
}
