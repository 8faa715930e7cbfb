// SPDX-License-Identifier: Apache-2.0

// What is fuzzed: everything that takes text or messages from outside. Each target says what must hold of whatever it is
// given, so that a wrong result is found and not only a crash. libFuzzer feeds it (`make fuzz`), and `make test` feeds it
// the seeds, among them each input that ever broke something.

/// A part of the service that reads what others write.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// A configuration file.
  case configuration
  /// The text of a mount matrix.
  case matrix
  /// A recording to be played.
  case recording
  /// How a driver stores samples, and scans in that form.
  case scan
  /// The sampling frequencies that a driver offers, and its numbers.
  case frequencies
  /// All that a driver shows of a device, and all that is done with it.
  case device
  /// The state file.
  case state
  /// udev's hardware database, as calibration edits it.
  case hwdb
  /// Input devices' capabilities, the panel's modes and the command line.
  case words
  /// Calls, signals and replies on the bus.
  case messages
  /// Requests and records of the motion socket.
  case motion

  /// Feeds the target; nil where all holds that must, else what does not.
  public func violation(_ input: [UInt8]) -> String? {
    do throws(Violation) {
      switch self {
      case .configuration: try checkConfiguration(input)
      case .matrix: try checkMatrix(input)
      case .recording: try checkRecording(input)
      case .scan: try checkScan(input)
      case .frequencies: try checkFrequencies(input)
      case .device: try checkDevice(input)
      case .state: try checkState(input)
      case .hwdb: try checkHwdb(input)
      case .words: try checkWords(input)
      case .messages: try checkMessages(input)
      case .motion: try checkMotion(input)
      }
      return nil
    } catch {
      return error.reason
    }
  }
}

/// Something that must hold does not.
struct Violation: Error {
  let reason: String
}

/// Throws where something does not hold.
func expect(_ holds: Bool, _ reason: @autoclosure () -> String) throws(Violation) {
  guard holds else { throw Violation(reason: reason()) }
}
