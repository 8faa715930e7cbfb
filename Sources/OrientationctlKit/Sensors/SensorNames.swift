// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import IIO
import SensorSetup

// What the shell offers behind `--sensor`. The completion scripts run orientationctl for it.
extension CompletionKind {
  /// The accelerometers of this machine, each by a name that means it alone, and other words that are understood.
  static func sensors(or words: [String] = []) -> CompletionKind {
    .custom { _, _, _ in accelerometerNames() + words }
  }
}

/// What each accelerometer of this machine can be asked for by: its name, else its label, else its path.
///
/// Empty where the devices cannot be looked through: a shell that completes has no place for errors.
private func accelerometerNames() -> [String] {
  let catalog = try? SensorCatalog(for: Configuration())
  let sensors = (catalog?.entries ?? []).map(\.sensor).filter(\.isAccelerometer)
  return sensors.compactMap { sensor in
    let others = sensors.filter { $0.id != sensor.id }
    let isItsOwn = { (name: String) in !others.contains { $0.name == name || $0.label == name } }
    return [sensor.name, sensor.label, sensor.sysfsPath].compactMap(\.self)
      .first { isItsOwn($0) && isPlainWord($0) }
  }
}

/// Whether a shell takes a text as it is.
///
/// bash expands what is offered to it, and a label is whatever the firmware says.
private func isPlainWord(_ text: String) -> Bool {
  !text.isEmpty
    && text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "_-./:@+,".utf8.contains(byte)
      }
    }
}
