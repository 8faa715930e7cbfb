// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// Why an app's interface does not have the orientation that the app has asked for.
///
/// UIKit ends the app in the first two cases. Here the app goes on, and the view is shown.
public enum InterfaceOrientationProblem: Error, Equatable, Sendable {
  /// No orientation is left that all levels support; the interface keeps its present one until their rules change.
  case conflict(InterfaceOrientationConflict)
  /// A presented view prefers an orientation that is not supported; it is presented in a supported one.
  case unsupportedPreference(UnsupportedInterfaceOrientationPreference)
  /// The app asked for a rotation to an orientation that is not among the supported ones; nothing has changed.
  case unsupportedRotation(to: InterfaceOrientation, supported: InterfaceOrientationMask)
  /// The daemon has refused a hold, so the interface does as it would without the app.
  ///
  /// The hold is requested again when the app's rules change, when it asks for an update, when it comes to the foreground, when
  /// other orientations are supported by the device, when another daemon is there, and after 5 s to a minute, unless waiting does not
  /// help: the orientations are not supported, or the app's id is none.
  case holdRefused(OrientationError, orientations: InterfaceOrientationMask)
  /// The daemon has refused to rotate the interface to the device's orientation.
  case rotationRefused(OrientationError)
}

extension InterfaceOrientationProblem: CustomStringConvertible {
  /// A text for developers.
  public var description: String {
    switch self {
    case .conflict(let conflict): "\(conflict)"
    case .unsupportedPreference(let preference): "\(preference)"
    case .unsupportedRotation(let orientation, let supported):
      "cannot rotate to \(orientation.name): supported is \(supported.names)"
    case .holdRefused(let error, let orientations): "cannot hold \(orientations.names): \(error)"
    case .rotationRefused(let error): "cannot rotate to the device's orientation: \(error)"
    }
  }
}
