// SPDX-License-Identifier: Apache-2.0

import IIO
import Systemd

/// What the journal sees of light sensor, proximity sensor, compass, tablet mode sensor and gyroscope, which have these kinds of names.
extension ServiceLog {
  /// A sensor beside the accelerometer was found.
  func sensor(_ name: String, isFoundAs kind: String) {
    journal.log(
      .info, "\(kind) \(name)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c20", fields: ["SENSOR": name])
  }

  /// The devices cannot be looked through for such sensors.
  func cannotLookForAmbientSensors(_ error: SourceError) {
    journal.log(
      .warning, "light sensor, proximity sensor and compass cannot be looked for: \(error)",
      id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c21")
  }

  /// One of them cannot be opened or read.
  func sensorFails(_ kind: String, _ error: SourceError) {
    journal.log(
      .warning, "the \(kind) does not work: \(error); retrying periodically",
      id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c22")
  }

  /// One of them has failed and delivers again.
  func sensorWorksAgain(_ kind: String) {
    journal.log(.notice, "the \(kind) works again", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c23")
  }

  /// The buffer of one of them is of no use.
  func sensorIsPolled(_ kind: String, because error: SourceError) {
    journal.log(
      .notice, "\(error); polling the \(kind) instead", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c24")
  }
}
