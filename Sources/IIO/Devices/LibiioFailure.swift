// SPDX-License-Identifier: Apache-2.0

import CLinux

// libiio 0.24 derives channels from the names of files. It has a list of modifiers, and uses the first one that fits. So it
// assigns the file in_rot_from_north_magnetic_tilt_comp_en to the channel rot_from_north_magnetic. If that channel has such
// a file too, as with hubs that know both headings, iio_create_local_context fails with EINVAL, and no device of the
// machine is available. The same happens with two channels whose modifiers it does not know (accel_linear_x and
// accel_linear_y of the BNO055), with a file in scan_elements that does not belong to a channel, and, with EIO, with an
// empty label. Later sources know more modifiers, but still use the first that fits; 0.26 still refuses the BNO055
// (libiio's issue 1575).

/// Why libiio is not used for the devices of this machine.
package struct LibiioFailure: Equatable, Sendable, CustomStringConvertible {
  /// What happened.
  package enum Cause: Equatable, Sendable {
    /// libiio cannot be loaded, in the words of dlopen(3).
    case notLoaded(String)
    /// libiio refuses the machine with this errno.
    case refused(CInt)
  }

  /// What happened.
  package let cause: Cause
  /// The devices that are the likely cause, by name and id; empty if none is known.
  package let suspects: [String]

  /// Looks for the cause among the devices of this machine.
  init(_ cause: Cause, among devices: [IIODevice]) {
    self.cause = cause
    let devices = cause == .refused(EINVAL) ? devices : []
    let odd = devices.filter { $0.hasChannelsTakenForOne }
    suspects = (odd.isEmpty ? devices.filter { !$0.scanIDs.isEmpty } : odd).map { $0.displayName }
  }

  /// One sentence for the journal or a terminal.
  package var description: String {
    switch cause {
    case .notLoaded(let reason):
      return
        "libiio cannot be loaded (\(reason)); install libiio again (Debian: the package libiio0). The IIO devices are used without libiio"
    case .refused(let code):
      let suspicion = suspects.isEmpty ? "" : ", probably \(suspects.joined(separator: " or "))"
      return "libiio refuses all IIO devices of this machine because of one device\(suspicion): "
        + "\(String(cString: strerror(code))); they are used without libiio"
    }
  }
}

extension IIODevice {
  /// Whether libiio may confuse two channels of a scan: the name of one continues that of the other, or both have modifiers
  /// of several words that differ only in the last word.
  fileprivate var hasChannelsTakenForOne: Bool {
    let ids = scanIDs
    return ids.contains { id in
      let stem = id.utf8.prefix(upTo: id.utf8.lastIndex(of: UInt8(ascii: "_")) ?? id.utf8.startIndex)
      let hasSeveralWords = stem.contains(UInt8(ascii: "_"))
      return ids.contains { other in
        guard other != id else { return false }
        return other.utf8.starts(with: "\(id)_".utf8)
          || hasSeveralWords && other.utf8.starts(with: "\(Substring(stem))_".utf8)
      }
    }
  }
}
