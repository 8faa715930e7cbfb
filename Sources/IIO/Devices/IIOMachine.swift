// SPDX-License-Identifier: Apache-2.0

import CLinux

/// What is read for a description.
package enum DescriptionSource: Sendable {
  /// Only what the kernel knows itself.
  case kernel
  /// The sensors are read too. A hub may take seconds to answer.
  case kernelAndSensors
}

/// The IIO devices of a machine, as they were when they were described.
///
/// Nothing reports hotplug here: a device that is added later is only in a later description.
package struct IIOMachine: Equatable, Sendable {
  /// The folder in which the kernel shows its IIO devices.
  static let devicesDirectory = "/sys/bus/iio/devices"

  /// The devices, without triggers, ordered by id as text.
  let devices: [IIODevice]
  /// Why libiio does not describe this machine; nil if it does.
  package let refusal: LibiioFailure?

  /// Creates a description of a machine with these devices.
  init(devices: [IIODevice], refusal: LibiioFailure? = nil) {
    (self.devices, self.refusal) = (devices, refusal)
  }

  /// Describes this machine; without IIO it has no devices.
  ///
  /// libiio describes all devices of a machine or none: if it does not understand one, or one goes away while it looks. Then sysfs
  /// describes those that the kernel lists.
  ///
  /// - Throws: ``SourceError`` if sysfs cannot be read.
  package static func local() throws(SourceError) -> IIOMachine {
    let ids = try deviceIDs()
    guard !ids.isEmpty else { return IIOMachine(devices: []) }
    let (described, cause) = IIODevice.allByLibiio()
    let devices = ids.map { id in
      described.first { $0.id == id } ?? IIODevice(sysfs: id, in: devicesDirectory)
    }
    return IIOMachine(devices: devices, refusal: cause.map { LibiioFailure($0, among: devices) })
  }

  /// The ids of the devices, in order; none on a machine without IIO.
  private static func deviceIDs() throws(SourceError) -> [String] {
    let names: [String]
    do throws(FileError) {
      names = try listFolder(devicesDirectory)
    } catch {
      guard error.code != ENOENT else { return [] }
      throw SourceError(code: error.code, subject: devicesDirectory, operation: "reading")
    }
    return names.filter { $0.utf8.starts(with: "iio:device".utf8) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
