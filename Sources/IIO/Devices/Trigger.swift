// SPDX-License-Identifier: Apache-2.0

import CIIO

extension IIODevice {
  /// The trigger that clocks the device's buffer at present.
  var trigger: IIODevice? {
    switch self {
    case .libiio(let pointer):
      var trigger: OpaquePointer?
      guard Libiio.functions.device_get_trigger(pointer, &trigger) == 0, let trigger else { return nil }
      return .libiio(trigger)
    case .sysfs(let device):
      guard let name = device.triggerName else { return nil }
      return SysfsDevice.all(in: device.devicesDirectory)?.first { $0.name == name }.map { .sysfs($0) }
    }
  }
}
