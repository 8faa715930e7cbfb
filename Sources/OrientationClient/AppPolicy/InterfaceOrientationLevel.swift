// SPDX-License-Identifier: Apache-2.0

/// The levels that have rules for the orientation of an app's interface, from back to front.
public enum InterfaceOrientationLevel: Sendable, BitwiseCopyable {
  /// The device's configuration.
  case device
  /// The app.
  case application
  /// The window.
  case window
  /// The front-most view, or its view controller.
  case view

  /// The order in which a policy reads their rules.
  static let frontToBack: [InterfaceOrientationLevel] = [.view, .window, .application, .device]

  /// The name for people.
  public var name: String {
    switch self {
    case .device: "device"
    case .application: "app"
    case .window: "window"
    case .view: "view"
    }
  }
}
