// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import IIO
import SensorSetup

// The completions of `--sensor` in a shell. The completion scripts run orientationctl for them.
extension CompletionKind {
  /// An unambiguous name for each accelerometer of this machine, and other words that the option accepts.
  static func sensors(or words: [String] = []) -> CompletionKind {
    .custom { _, _, _ in accelerometerNames() + words }
  }
}

/// An unambiguous name for each accelerometer of this machine: its name, else its label, else its path.
///
/// Empty if the devices cannot be scanned: a completion cannot show an error.
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

/// Whether a text has no character with a meaning for a shell.
///
/// bash expands completions, and a label of the firmware can be any text.
private func isPlainWord(_ text: String) -> Bool {
  !text.isEmpty
    && text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && scalar.properties.isAlphabetic || "0123456789_-./:@+,".unicodeScalars.contains(scalar)
    }
}
