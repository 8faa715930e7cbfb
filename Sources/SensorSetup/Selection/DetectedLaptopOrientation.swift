// SPDX-License-Identifier: Apache-2.0

// A laptop can have the panel of a tablet, mounted sideways. The kernel knows how from a table of such machines, from the firmware, the
// device tree, or its parameter video=. There are two sources of that:
//
//   udev    the property ORIENTATIOND_PANELS of the graphics card, which a rule reads from the kernel (CardPanels)
//   fbcon   the text console, which the kernel turns so that it is upright in the laptop, and so does a person with fbcon=rotate:1, if
//           the kernel does not know the machine
//
// Without the rule, the console is not enough: it is not turned while the kernel puts off to show it (in a boot without text), beside a second
// screen that is not turned, or where the card itself turns a picture by half.

import Evdev
import IIO
package import Orientation

/// How the device is held when it stands on a table as a laptop, and the reason.
package struct DetectedLaptopOrientation: Equatable, Sendable {
  /// The orientation; the hinge is at its bottom edge.
  package let orientation: NaturalOrientation
  /// The reason, for display: "panel eDP-1 is mounted right_side_up".
  package let reason: String
  /// Whether it only follows from the panel's shape: udev may know more later.
  package let isAssumed: Bool

  /// Uses the chosen orientation, or how the panel is mounted.
  ///
  /// Without either, a landscape panel stands by its own upright; of a portrait panel nothing is known: it may be that of a tablet.
  ///
  /// - Parameters:
  ///   - choice: the value of `LaptopOrientation=`.
  ///   - panel: the internal panel.
  ///   - natural: the orientation of the device when that is upright.
  ///   - sysfs: the mount point of sysfs.
  init?(
    by choice: NaturalOrientation?, of panel: InternalPanel?, natural: NaturalOrientation, sysfs: String
  ) {
    if let choice {
      (orientation, reason, isAssumed) = (choice, "configured", false)
    } else if let panel, let mounting = PanelMounting(of: panel, sysfs: sysfs), mounting != .upright {
      (orientation, isAssumed) = (natural.turned(by: mounting.turn), false)
      reason = "panel \(panel.connector) is mounted \(mounting.rawValue)"
    } else if natural.device.isLandscape {
      (orientation, reason, isAssumed) = (natural, "as the panel", true)
    } else {
      return nil
    }
  }
}

extension DetectedLaptopOrientation: CustomStringConvertible {
  /// "landscapeLeft (panel eDP-1 is mounted right_side_up)".
  package var description: String { "\(orientation.device.name) (\(reason))" }
}

/// Which side of a panel is up when the device stands as its maker means it to, in the order of the kernel's numbers.
///
/// The raw values are those of the kernel's parameter `video=CONNECTOR:panel_orientation=`.
enum PanelMounting: String, CaseIterable {
  case upright = "normal"
  case upsideDown = "upside_down"
  case leftSideUp = "left_side_up"
  case rightSideUp = "right_side_up"

  /// Asks udev, and then the console.
  ///
  /// - Returns: nil if neither knows it. A console that is not turned knows nothing.
  init?(of panel: InternalPanel, sysfs: String) {
    let known = udevProperty("ORIENTATIOND_PANELS", ofSysfsPath: panel.card).flatMap {
      Self(of: panel.connector, in: $0)
    }
    if let known {
      self = known
      return
    }
    // The numbers of the kernel's FB_ROTATE_CW, FB_ROTATE_UD and FB_ROTATE_CCW.
    switch firstLine(of: "\(sysfs)/class/graphics/fbcon/rotate") {
    case "1": self = .rightSideUp
    case "2": self = .upsideDown
    case "3": self = .leftSideUp
    default: return nil
    }
  }

  /// Takes that of a connector from "eDP-1=right_side_up DSI-1=normal"; nil if it is not there.
  init?(of connector: String, in text: String) {
    for word in text.utf8.split(separator: UInt8(ascii: " ")) {
      let parts = word.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2, String(parts[0]) == connector else { continue }
      self.init(rawValue: String(parts[1]) ?? "")
      return
    }
    return nil
  }

  /// The turn of the picture on the panel that makes it upright: its top goes to the side that is up.
  var turn: QuarterTurn {
    switch self {
    case .upright: .zero
    case .upsideDown: .half
    case .leftSideUp: .counterclockwise
    case .rightSideUp: .clockwise
    }
  }
}
