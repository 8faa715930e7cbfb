// SPDX-License-Identifier: Apache-2.0

import CLinux

// libiio 0.24 makes channels of the names of files, by a list of the modifiers that it knows, of which it takes the first
// that fits. in_rot_from_north_magnetic_tilt_comp_en so is a file of the channel rot_from_north_magnetic; where that has
// an own one too, as with hubs that know both headings, iio_create_local_context fails with EINVAL, and no device of the
// machine is to be had. The same befalls two channels with modifiers that it does not know (accel_linear_x and
// accel_linear_y of the BNO055), a file in scan_elements that is none of a channel, and, with EIO, a label that is empty.
// Later sources know more modifiers, and take the first that fits all the same; 0.26 still refuses the BNO055 (libiio's
// issue 1575).

/// That libiio refuses all devices of this machine, and why.
public struct LibiioFailure: Equatable, Sendable {
  /// The errno with which it does.
  public let code: CInt
  /// The devices that are the likely cause, by name and id; none where nothing is known.
  public let suspects: [String]

  /// Looks for the cause among the devices of this machine.
  init(code: CInt) {
    self.code = code
    let devices = code == EINVAL ? SysfsDevice.all(in: IIOContext.devicesDirectory) ?? [] : []
    let odd = devices.filter { $0.hasChannelsTakenForOne }
    suspects = (odd.isEmpty ? devices.filter { !$0.scanElements.isEmpty } : odd).map { $0.displayName }
  }
}

extension LibiioFailure: CustomStringConvertible {
  /// One sentence for the journal or a terminal.
  public var description: String {
    let cause = suspects.isEmpty ? "" : ", probably \(suspects.joined(separator: " or "))"
    return "libiio refuses all IIO devices of this machine on account of one\(cause): "
      + "\(String(cString: strerror(code))); they are used without it"
  }
}

extension SysfsDevice {
  /// Whether libiio may take two of the channels of a scan for one: where the name of one goes on where the other's ends,
  /// or their modifiers of several words differ in the last.
  fileprivate var hasChannelsTakenForOne: Bool {
    let ids = scanElements
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
