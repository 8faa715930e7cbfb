// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup
import Testing

@testable import OrientationService

private let sensor = MountedSensor(origin: .simulation, name: "test", choice: "requested")

private func change(_ orientation: DeviceOrientation, at nanoseconds: Int64 = 1) -> OrientationChange {
  OrientationChange(orientation: orientation, time: BootTime(nanoseconds: nanoseconds))
}

/// A state with a sensor that delivers and somebody who asks, in portrait.
private var running: DeviceState {
  var state = DeviceState()
  state.found(sensor)
  state.isGenerating = true
  state.sample(.wanted)
  state.delivering(sampleRate: 25)
  state.changed(change(.portrait))
  return state
}

@Suite("The state behind the Device interface")
struct DeviceStateTests {
  @Test("without a sensor it is absent and the orientation unknown, also while somebody asks")
  func absent() {
    var state = DeviceState()
    #expect(state.properties == DeviceProperties())
    state.isGenerating = true
    state.sample(.wanted)
    #expect(state.properties.sensorStatus == .absent)
    #expect(!state.properties.hasAccelerometer)
    #expect(state.properties.orientation == .unknown)
  }

  @Test("a sensor goes from idle over starting to active, and back to idle")
  func phases() {
    var state = DeviceState()
    state.found(sensor)
    #expect(state.properties.sensorStatus == .idle)
    state.isGenerating = true
    state.sample(.wanted)
    #expect(state.properties.sensorStatus == .starting)
    #expect(state.properties.sampleRate == 0)
    state.delivering(sampleRate: 25)
    #expect(state.properties.sensorStatus == .active)
    #expect(state.properties.sampleRate == 25)
    state.changed(change(.faceUp))
    #expect(state.properties.orientation == .faceUp)
    state.isGenerating = false
    state.sample(.notWanted)
    #expect(state.properties == DeviceProperties(sensorName: "test", sensorStatus: .idle))
  }

  @Test("the orientation is unknown to clients unless somebody asked for notifications")
  func notGenerating() {
    var state = running
    state.isGenerating = false
    #expect(state.properties.orientation == .unknown)
    #expect(state.tracked.orientation == .portrait)
  }

  @Test("a lost sensor is a change to unknown that is signalled; it comes back as starting")
  func lost() {
    let before = running.properties
    var state = running
    state.failed(.vanished(device: "test"))
    #expect(state.properties.sensorStatus == .failed)
    #expect(state.properties.orientation == .unknown)
    #expect(state.properties.isOrientationSignalDue(since: before))
    state.found(nil)
    #expect(state.properties.sensorStatus == .absent)
    state.found(sensor)
    #expect(state.properties.sensorStatus == .starting)
  }

  @Test("the end of the last generation makes the orientation unknown without the signal")
  func endOfGeneration() {
    let before = running.properties
    var state = running
    state.isGenerating = false
    state.sample(.notWanted)
    #expect(state.properties.orientation == .unknown)
    #expect(!state.properties.isOrientationSignalDue(since: before))
    #expect(state.properties.changedNames(since: before).contains("Orientation"))
  }

  @Test("a silent sensor keeps the orientation while another way to read it is tried")
  func silent() {
    var state = running
    state.fellSilent()
    #expect(state.properties.sensorStatus == .silent)
    #expect(state.properties.orientation == .portrait)
  }

  @Test("a decision for the orientation that holds already is no change and keeps its time")
  func same() {
    var state = running
    state.changed(change(.portrait, at: 99))
    #expect(state.tracked.time == BootTime(nanoseconds: 1))
  }

  @Test("exactly the properties that differ are announced")
  func names() {
    var state = running
    let before = state.properties
    state.changed(change(.landscapeLeft))
    #expect(state.properties.changedNames(since: before) == ["Orientation", "OrientationName"])
    #expect(before.changedNames(since: before).isEmpty)
    #expect(
      before.changedNames(since: DeviceProperties()) == [
        "Orientation", "OrientationName", "GeneratesDeviceOrientationNotifications", "HasAccelerometer",
        "SensorName",
        "SensorStatus", "SampleRate",
      ])
  }

  @Test("when another sensor takes over, it starts; the orientation stays until the new one decides")
  func takeOver() {
    var state = running
    var other = sensor
    other.name = "other"
    state.found(other)
    #expect(state.properties.sensorStatus == .starting)
    #expect(state.properties.sampleRate == 0)
    #expect(state.properties.orientation == .portrait)
    state.failed(.vanished(device: "test"))
    #expect(state.properties.orientation == .unknown)
  }

  @Test("a look that finds the same sensor changes nothing")
  func foundAgain() {
    var state = running
    let before = state.properties
    state.found(sensor)
    #expect(state.properties == before)
    state.failed(.vanished(device: "test"))
    state.found(sensor)
    #expect(state.properties.sensorStatus == .failed)
  }

  @Test("a sampler that hangs makes the sensor silent, and keeps the orientation; back, it is what it was")
  func hanging() {
    var state = running
    state.isHanging = true
    #expect(state.properties.sensorStatus == .silent)
    #expect(state.properties.sampleRate == 0)
    #expect(state.properties.orientation == .portrait)
    state.isHanging = false
    #expect(state.properties.sensorStatus == .active)
    state.isHanging = true
    state.failed(.vanished(device: "test"))
    #expect(state.properties.sensorStatus == .failed)
    state.sample(.notWanted)
    #expect(state.properties.sensorStatus == .idle)
  }

  @Test("a sensor that fails by its silence is silent, and the orientation is unknown")
  func failsSilently() {
    var state = running
    state.failed(.silent(device: "test", seconds: 1.5))
    #expect(state.properties.sensorStatus == .silent)
    #expect(state.properties.orientation == .unknown)
  }
}
