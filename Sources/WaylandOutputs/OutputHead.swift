// SPDX-License-Identifier: Apache-2.0

import CWayland
import Following
import Orientation
import Systemd

/// One output, and the modes that it has.
final class OutputHead {
  /// What was reported so far; complete when the manager says so.
  var output: Output {
    var output = reported
    output.hasModeWithoutSize = modes.contains { $0.size == nil }
    output.mode = modes.first { $0.handle == currentMode }?.size
    return output
  }

  /// All but the modes.
  private var reported = Output(name: "") { didSet { manager.changed() } }

  private let handle: OpaquePointer
  /// No screen has more modes; the time to handle them grows with their square.
  private static let mostModes = 1000

  private unowned(unsafe) let manager: OutputManager
  private var modes: [OutputMode] = []
  private var currentMode: OpaquePointer?

  /// Takes an output that the manager has announced.
  ///
  /// - Parameters:
  ///   - handle: the output.
  ///   - manager: learns what is reported of it, that it was unplugged, and that it has more modes than a screen can have.
  init(_ handle: OpaquePointer, of manager: OutputManager) {
    self.handle = handle
    self.manager = manager
    zwlr_output_head_v1_add_listener(handle, Self.listener, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Adds the change of this output to a request.
  func configure(_ change: OutputChange, in configuration: OpaquePointer) {
    guard change.isEnabled else { return zwlr_output_configuration_v1_disable_head(configuration, handle) }
    // What is not set stays as it is.
    let head: OpaquePointer = zwlr_output_configuration_v1_enable_head(configuration, handle)
    if let transform = change.transform {
      zwlr_output_configuration_head_v1_set_transform(head, Int32(transform.quarters))
    }
    if let position = change.position {
      zwlr_output_configuration_head_v1_set_position(head, position.x, position.y)
    }
    // It has no events, and ends with the request.
    zwlr_output_configuration_head_v1_destroy(head)
  }

  private func added(_ mode: OpaquePointer) {
    guard modes.count < Self.mostModes else { return manager.failed(.tooMany("modes of an output")) }
    modes.append(OutputMode(mode, of: self))
    manager.changed()
  }

  /// Something of a mode was reported.
  func changed() { manager.changed() }

  /// The output does not have a mode any more.
  func removed(_ mode: OutputMode) {
    modes.removeAll { $0 === mode }
    // Another mode can get its address.
    if currentMode == mode.handle { currentMode = nil }
    manager.changed()
  }

  private func finished() {
    // A compositor need not end the modes first, and they are freed with this head.
    for mode in modes { mode.forget() }
    modes = []
    if zwlr_output_head_v1_get_version(handle) >= ZWLR_OUTPUT_HEAD_V1_RELEASE_SINCE_VERSION {
      zwlr_output_head_v1_release(handle)
    } else {
      zwlr_output_head_v1_destroy(handle)
    }
    manager.removed(self)
  }

  nonisolated(unsafe) private static let listener = stored(
    zwlr_output_head_v1_listener(
      name: { userdata, _, name in
        guard let name else { return }
        callback(OutputHead.self, userdata) { $0.reported.name = String(cString: name) }
      },
      description: { _, _, _ in },
      physical_size: { _, _, _, _ in },
      mode: { userdata, _, mode in
        guard let mode else { return }
        callback(OutputHead.self, userdata) { $0.added(mode) }
      },
      enabled: { userdata, _, enabled in
        callback(OutputHead.self, userdata) { $0.reported.isEnabled = enabled != 0 }
      },
      current_mode: { userdata, _, mode in
        callback(OutputHead.self, userdata) {
          $0.currentMode = mode
          $0.changed()
        }
      },
      position: { userdata, _, x, y in
        callback(OutputHead.self, userdata) { $0.reported.position = DesktopPosition(x: x, y: y) }
      },
      transform: { userdata, _, transform in
        callback(OutputHead.self, userdata) {
          // The mirrored ones have the same order, behind the others.
          $0.reported.transform = OutputTransform(quarters: Int(transform & 3))
          $0.reported.isMirrored = transform & 4 != 0
        }
      },
      scale: { userdata, _, scale in
        callback(OutputHead.self, userdata) { $0.reported.scale = wl_fixed_to_double(scale) }
      },
      finished: { userdata, _ in callback(OutputHead.self, userdata) { $0.finished() } },
      make: { _, _, _ in },
      model: { _, _, _ in },
      serial_number: { _, _, _ in }))
}

/// One mode of an output.
final class OutputMode {
  let handle: OpaquePointer
  /// The size of the picture; nil before it was reported.
  private(set) var size: PixelSize?
  private unowned(unsafe) let head: OutputHead

  /// Takes a mode that its output has announced.
  init(_ handle: OpaquePointer, of head: OutputHead) {
    self.handle = handle
    self.head = head
    zwlr_output_mode_v1_add_listener(handle, Self.listener, Unmanaged.passUnretained(self).toOpaque())
  }

  /// A size that no screen has stays unknown.
  private func resized(_ size: PixelSize) {
    let possible: ClosedRange<Int32> = 1...65535
    guard possible.contains(size.width), possible.contains(size.height) else { return }
    self.size = size
    head.changed()
  }

  /// Has libwayland drop the events that still come.
  func forget() { zwlr_output_mode_v1_destroy(handle) }

  private func finished() {
    if zwlr_output_mode_v1_get_version(handle) >= ZWLR_OUTPUT_MODE_V1_RELEASE_SINCE_VERSION {
      zwlr_output_mode_v1_release(handle)
    } else {
      zwlr_output_mode_v1_destroy(handle)
    }
    head.removed(self)
  }

  nonisolated(unsafe) private static let listener = stored(
    zwlr_output_mode_v1_listener(
      size: { userdata, _, width, height in
        callback(OutputMode.self, userdata) { $0.resized(PixelSize(width: width, height: height)) }
      },
      refresh: { _, _, _ in },
      preferred: { _, _ in },
      finished: { userdata, _ in callback(OutputMode.self, userdata) { $0.finished() } }))
}
