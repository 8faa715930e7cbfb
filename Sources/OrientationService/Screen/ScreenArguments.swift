// SPDX-License-Identifier: Apache-2.0

// What clients give to the Screen interface, checked: numbers become orientations here, and refusals become words.

import Orientation
import Systemd

extension InterfaceOrientation {
  /// Reads the orientation that a call names; unknown is none that an interface could be given.
  init(argumentOf call: borrowing Message) throws(BusError) {
    let raw = try call.readUInt32()
    guard let orientation = InterfaceOrientation(rawValue: raw), orientation != .unknown else {
      throw BusError(
        name: ServiceErrorName.invalidOrientation,
        message:
          "\(raw) is no interface orientation: 1 is portrait, 2 portraitUpsideDown, 3 landscapeRight, 4 landscapeLeft."
      )
    }
    self = orientation
  }
}

extension InterfaceOrientationMask {
  /// Reads the set that a call names, which must not be empty.
  init(argumentOf call: borrowing Message) throws(BusError) {
    self.init(rawValue: try call.readUInt32())
    guard isSubset(of: .all) else {
      throw BusError(
        name: ServiceErrorName.invalidOrientation,
        message:
          "\(rawValue) is no set of interface orientations: add up 2 for portrait, 4 for portraitUpsideDown, "
          + "8 for landscapeRight, 16 for landscapeLeft."
      )
    }
    guard !isEmpty else { throw BusError(UnsupportedOrientation.empty) }
  }

  /// The names of the orientations in the set.
  var names: String {
    InterfaceOrientation.allCases.filter { contains($0) }.map { $0.name }.joined(separator: ", ")
  }
}

extension BusError {
  /// What a client is told of an orientation that cannot be had.
  init(_ refusal: UnsupportedOrientation) {
    let message =
      switch refusal {
      case .empty: "The interface must be able to have at least one orientation: the mask is empty."
      case .notSupported(let supported):
        "Only \(supported.names) can be had now; SetSupportedInterfaceOrientations changes that."
      }
    self.init(name: ServiceErrorName.unsupportedOrientation, message: message)
  }

  /// Does something, and has what it throws reach the client as an error.
  static func wrapping(_ body: () throws(UnsupportedOrientation) -> Void) throws(BusError) {
    do throws(UnsupportedOrientation) {
      try body()
    } catch {
      throw BusError(error)
    }
  }
}
