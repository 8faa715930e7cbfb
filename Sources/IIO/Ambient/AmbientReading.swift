// SPDX-License-Identifier: Apache-2.0

/// What a sensor of one of the ``AmbientSensorKind``s says.
public enum AmbientReading: Equatable, Sendable, BitwiseCopyable {
  /// A light sensor's.
  case light(LightLevel)
  /// A proximity sensor's.
  case proximity(Proximity)
  /// A compass's.
  case compass(CompassHeading)
}
