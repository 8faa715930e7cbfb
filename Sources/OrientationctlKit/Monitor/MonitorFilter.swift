// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The only half of the changes to print: those of the device, or those of the screen.
enum MonitorFilter: EnumerableFlag {
  case device
  case screen

  static func help(for half: MonitorFilter) -> ArgumentHelp? {
    switch half {
    case .device: "Print only the device's orientation."
    case .screen: "Print only the changes of the screen."
    }
  }
}
