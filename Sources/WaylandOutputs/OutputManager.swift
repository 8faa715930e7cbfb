// SPDX-License-Identifier: Apache-2.0

import CWayland
import Following
import Orientation
import Systemd

/// The compositor's outputs as its manager reports them.
final class OutputManager {
  private let handle: OpaquePointer
  private let listener: OutputsListener
  private let finished: () -> Void
  private var heads: [OutputHead] = []
  /// Of the last complete report; requests that refer to an older one are refused.
  private var serial: UInt32 = 0
  private var request: OpaquePointer?

  /// Takes the manager.
  ///
  /// - Parameters:
  ///   - handle: the manager.
  ///   - listener: receives reports and answers.
  ///   - finished: called when the manager ends.
  init(_ handle: OpaquePointer, listener: OutputsListener, finished: @escaping () -> Void) {
    self.handle = handle
    self.listener = listener
    self.finished = finished
    zwlr_output_manager_v1_add_listener(
      handle, Self.managerListener, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Asks for a change; an arrangement that does not have all outputs is out of date.
  func apply(_ arrangement: Arrangement) {
    let configuration: OpaquePointer = zwlr_output_manager_v1_create_configuration(handle, serial)
    request = configuration
    zwlr_output_configuration_v1_add_listener(
      configuration, Self.configurationListener, Unmanaged.passUnretained(self).toOpaque())
    for head in heads {
      guard let change = arrangement.changes.first(where: { $0.name == head.output.name }) else { continue }
      head.configure(change, in: configuration)
    }
    zwlr_output_configuration_v1_apply(configuration)
  }

  private func added(_ head: OpaquePointer) {
    heads.append(OutputHead(head) { [unowned self] gone in heads.removeAll { $0 === gone } })
  }

  private func done(_ serial: UInt32) {
    self.serial = serial
    listener.changed(heads.map(\.output))
  }

  private func answered(_ answer: PanelTurner.Answer) {
    if let request { zwlr_output_configuration_v1_destroy(request) }
    request = nil
    listener.answered(answer)
  }

  nonisolated(unsafe) private static let managerListener = stored(
    zwlr_output_manager_v1_listener(
      head: { userdata, _, head in
        guard let head else { return }
        callback(OutputManager.self, userdata) { $0.added(head) }
      },
      done: { userdata, _, serial in callback(OutputManager.self, userdata) { $0.done(serial) } },
      finished: { userdata, _ in callback(OutputManager.self, userdata) { $0.finished() } }))

  nonisolated(unsafe) private static let configurationListener = stored(
    zwlr_output_configuration_v1_listener(
      succeeded: { userdata, _ in callback(OutputManager.self, userdata) { $0.answered(.succeeded) } },
      failed: { userdata, _ in callback(OutputManager.self, userdata) { $0.answered(.failed) } },
      cancelled: { userdata, _ in callback(OutputManager.self, userdata) { $0.answered(.outdated) } }))
}
