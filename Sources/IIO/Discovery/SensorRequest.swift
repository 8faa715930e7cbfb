// SPDX-License-Identifier: Apache-2.0

/// The wanted source of samples: the value of `--sensor` and of `Sensor=`.
package enum SensorRequest: Equatable, Sendable, CustomStringConvertible {
  /// The accelerometer that discovery prefers.
  case automatic
  /// The accelerometer with this id, name, label or sysfs path.
  case named(String)
  /// A recording that is replayed.
  case replay(path: String)
  /// The simulated tablet of ``SimulatedSource``.
  case simulated
  /// The accelerometer that discovery prefers in a context of libiio, such as another machine that runs iiod.
  case remote(IIOAddress)

  /// Whether it depends on the devices of this machine.
  package var isOfThisMachine: Bool {
    switch self {
    case .automatic, .named: true
    case .replay, .simulated, .remote: false
    }
  }

  /// Parses `auto`, `replay:FILE`, `simulated`, `ip:HOST`, `iio:URI`, or an id, name, label or sysfs path.
  ///
  /// Nil for an empty text, and for `replay:`, `ip:` and `iio:` with nothing after them.
  package init?(parsing text: String) {
    guard !["", "replay:", "ip:", "iio:", "iio:ip:"].contains(text) else { return nil }
    if text == "auto" {
      self = .automatic
    } else if text == "simulated" {
      self = .simulated
    } else if text.hasPrefix("replay:") {
      self = .replay(path: String(text.dropFirst(7)))
    } else if let address = IIOAddress(parsing: text) {
      self = .remote(address)
    } else {
      self = .named(text)
    }
  }

  /// The request as it is written in the configuration.
  package var description: String {
    switch self {
    case .automatic: "auto"
    case .named(let name): name
    case .replay(let path): "replay:\(path)"
    case .simulated: "simulated"
    case .remote(let address): address.configurationText
    }
  }
}
