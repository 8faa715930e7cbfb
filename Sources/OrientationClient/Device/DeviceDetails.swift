// SPDX-License-Identifier: Apache-2.0

// What only this project's own programs use: org.orientationd1.Sensor is no part of what stays, but for the mount matrix.

package import DaemonClient
import Systemd

extension OrientationDevice {
  /// The thread of the bus, for what belongs to no actor in the tasks of a program that rests: Swift's own pool of threads, once it was
  /// used, wakes up each second.
  package static var executor: any TaskExecutor { BusExecutor.shared }

  /// All that the daemon has told of the device and its sensor, and each change, while a loop waits for them; the sensor runs meanwhile.
  package var deviceSnapshots: OrientationUpdates<DeviceSnapshot> {
    // The device is read anew with each first loop, the screen only once.
    updates(generating: true) { $0.isRead && $0.device != DeviceSnapshot() ? $0.device : nil }
  }

  /// All that the daemon has told of the screen, and each change, while a loop waits for them; the sensor need not run for this.
  package var screenSnapshots: OrientationUpdates<ScreenSnapshot> {
    updates(generating: false) { $0.isRead ? $0.screen : nil }
  }

  /// Tries how the accelerometer is mounted, by a matrix in the form of `MountMatrix`, for 1 to 60 seconds or until this program ends; the
  /// person may have to authenticate.
  ///
  /// - Throws: ``OrientationError``: `invalidArguments`, `sensorUnavailable`, `notAuthorized`, `limitsExceeded`, or no daemon answers.
  package func previewMountMatrix(_ matrix: String, seconds: UInt32) async throws(OrientationError) {
    try await daemon.call(
      .sensor("PreviewMountMatrix", .string(matrix), .uint32(seconds), authorization: .interactive))
  }

  /// Ends the preview at once.
  ///
  /// - Throws: ``OrientationError`` if no daemon answers.
  package func endMountMatrixPreview() async throws(OrientationError) {
    try await daemon.call(.sensor("EndMountMatrixPreview"))
  }

  /// Sets how readily the orientation changes, for all who use the machine.
  ///
  /// - Throws: ``OrientationError``: `notAuthorized`, `limitsExceeded`, or no daemon answers.
  package func setResponsiveness(_ responsiveness: Responsiveness) async throws(OrientationError) {
    try await daemon.call(
      .screen("SetResponsiveness", .string(responsiveness.rawValue), authorization: .interactive))
  }

  /// Has the daemon keep how the accelerometer is mounted; the person may have to authenticate.
  ///
  /// - Throws: ``OrientationError``, as ``previewMountMatrix(_:seconds:)`` does.
  package func setMountMatrix(_ matrix: String) async throws(OrientationError) {
    try await daemon.call(.sensor("SetMountMatrix", .string(matrix), authorization: .interactive))
  }

  /// Has the daemon forget the matrix that was set; the person may have to authenticate.
  ///
  /// - Throws: ``OrientationError``: `sensorUnavailable`, `notAuthorized`, `limitsExceeded`, or no daemon answers.
  package func resetMountMatrix() async throws(OrientationError) {
    try await daemon.call(.sensor("ResetMountMatrix", authorization: .interactive))
  }
}

extension ScreenSnapshot {
  /// Who turns the screen, for people; it asks the system bus, and waits for that on the thread of the bus.
  package func followerText() async -> String {
    await Task(executorPreference: BusExecutor.shared) {
      do throws(BusError) {
        return followerText(on: try Bus.Address.system.connect())
      } catch {
        return "unknown: \(error.message)"
      }
    }.value
  }
}
