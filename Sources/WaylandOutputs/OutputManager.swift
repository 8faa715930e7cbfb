// SPDX-License-Identifier: Apache-2.0

import CWayland
import Following
import Orientation
import Systemd

/// The compositor's outputs as its manager reports them.
final class OutputManager {
  private let handle: OpaquePointer
  private let listener: OutputsListener
  private let incomplete: () -> Void
  let failed: (CommandError) -> Void
  private var heads: [OutputHead] = []
  /// Of the last complete report; requests that refer to an older one are refused.
  private var serial: UInt32 = 0
  private var request: OpaquePointer?
  /// Whether there was a complete report.
  private var isKnown = false
  /// Whether something was reported after the last one.
  private var isIncomplete = false

  /// Takes the manager.
  ///
  /// - Parameters:
  ///   - handle: the manager.
  ///   - listener: receives reports and answers.
  ///   - incomplete: called when something was reported, and the report is not complete yet.
  ///   - failed: called when the manager ends, or reports what cannot be.
  init(
    _ handle: OpaquePointer, listener: OutputsListener, incomplete: @escaping () -> Void,
    failed: @escaping (CommandError) -> Void
  ) {
    self.handle = handle
    self.listener = listener
    self.incomplete = incomplete
    self.failed = failed
    zwlr_output_manager_v1_add_listener(
      handle, Self.managerListener, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Asks for a change; an arrangement that does not have all outputs is out of date.
  func apply(_ arrangement: Arrangement) {
    let changes = heads.compactMap { head in
      arrangement.changes.first { $0.name == head.output.name }.map { (head, $0) }
    }
    // The next report, which has all of them, is on its way.
    guard changes.count == heads.count else { return listener.answered(.outdated) }
    let configuration: OpaquePointer = zwlr_output_manager_v1_create_configuration(handle, serial)
    request = configuration
    zwlr_output_configuration_v1_add_listener(
      configuration, Self.configurationListener, Unmanaged.passUnretained(self).toOpaque())
    for (head, change) in changes { head.configure(change, in: configuration) }
    zwlr_output_configuration_v1_apply(configuration)
  }

  private func added(_ head: OpaquePointer) {
    guard heads.count < Output.most else { return failed(.tooMany("outputs")) }
    heads.append(OutputHead(head, of: self))
  }

  /// An output was unplugged.
  func removed(_ head: OutputHead) {
    heads.removeAll { $0 === head }
    changed()
  }

  private func finished() {
    failed(CommandError("the compositor does not let its outputs be managed any more"))
  }

  private func done(_ serial: UInt32) {
    self.serial = serial
    isKnown = true
    isIncomplete = false
    listener.changed(heads.map { $0.output })
  }

  /// Reports what is known, although the compositor has not said that it is complete.
  func reportIncomplete() {
    guard isIncomplete else { return }
    isIncomplete = false
    listener.changed(heads.map { $0.output })
  }

  /// Something of an output was reported.
  func changed() {
    guard isKnown, !isIncomplete else { return }
    isIncomplete = true
    incomplete()
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

extension CommandError {
  /// The desktop reports more of something than there can be.
  static func tooMany(_ things: String) -> CommandError {
    CommandError("the desktop reports more \(things) than there can be")
  }
}
