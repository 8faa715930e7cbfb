// SPDX-License-Identifier: Apache-2.0

// Whether a change of the interface is seen: the daemon decides, and a desktop or `orientationctl follow` turns the screen.

package import DaemonClient
package import Systemd

extension ScreenSnapshot {
  /// A warning for who has just changed something that nothing shows; nil if a program turns the screen.
  package var followerWarning: String? {
    if !followers.isEmpty { return nil }
    if otherSensorProxy.isEmpty {
      return "nothing turns the screen at present, so this is not seen; "
        + "see \"A screen that does not turn although the sensor works\" in orientationd(8)"
    }
    return "a desktop that turns the screen by iio-sensor-proxy takes no notice of this: "
      + "install orientationd-sensor-proxy, which serves the desktop instead"
  }

  /// Who turns the screen, for people.
  ///
  /// - Parameter bus: knows the names of the programs.
  /// - Returns: a text such as "turned by phosh".
  package func followerText(on bus: Bus) -> String {
    let names = followers.map { Self.command(of: $0, on: bus) }.filter { $0 != Self.observer }
    if names.count == 1 { return "turned by \(names[0])" }
    if names.count > 1 { return "turned by \(names.joined(separator: ", ")): only one of them should" }
    guard !otherSensorProxy.isEmpty else { return "nothing turns it at present" }
    let other = Self.command(of: otherSensorProxy, on: bus)
    return "turned by \(other), if at all, which does not heed this lock: install orientationd-sensor-proxy"
  }

  /// The program of iio-sensor-proxy's that claims sensors and turns nothing.
  private static let observer = "monitor-sensor"

  private static func command(of name: String, on bus: Bus) -> String {
    guard let command = try? bus.command(of: name) else { return "an unknown program (\(name.printable))" }
    // The kernel keeps 15 characters of a name, and only this of ours with these turns screens.
    return command == "orientationctl-" ? "orientationctl follow" : command.printable
  }
}
