// SPDX-License-Identifier: Apache-2.0

import CWayland
import Following
import Systemd

/// One mode of an output.
final class OutputMode {
  let handle: OpaquePointer
  /// The size of the picture; nil before it was reported.
  private(set) var size: PixelSize?
  private unowned let head: OutputHead

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
