// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Systemd
import Testing

@testable import OrientationService
@testable import SensorSetup

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

  @Test(
    "what is doubtful about a sensor is shown until there is another one; its scale also after another look")
  func warnings() {
    var state = running
    state.found(sensor, warnings: ["a guess"])
    #expect(state.properties.sensorWarnings == ["a guess"])
    let before = state.properties
    state.learned(gravityLength: 0.1)
    #expect(state.properties.sensorWarnings == ["a guess", sensor.wrongScale(0.1)])
    #expect(state.properties.changedNames(since: before) == ["Warnings"])
    state.found(sensor, warnings: [])
    #expect(state.properties.sensorWarnings == [sensor.wrongScale(0.1)])
    var other = sensor
    other.name = "other"
    state.found(other)
    #expect(state.properties.sensorWarnings == [])
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
        "Name", "Status",
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

  /// Lock, subscribers, what was known when it was locked, what the sensor says: what subscribers see, and what is answered.
  static let lockTable:
    [(
      lock: RotationLock, isGenerating: Bool, before: DeviceOrientation, sensor: DeviceOrientation,
      seen: DeviceOrientation,
      answer: DeviceOrientation
    )] = [
      (.unlocked, true, .portrait, .landscapeLeft, .landscapeLeft, .landscapeLeft),
      (.unlocked, true, .portrait, .unknown, .unknown, .unknown),
      (.unlocked, true, .unknown, .landscapeLeft, .landscapeLeft, .landscapeLeft),
      (.unlocked, false, .portrait, .landscapeLeft, .unknown, .landscapeLeft),
      (.unlocked, false, .unknown, .unknown, .unknown, .unknown),
      (.locked, true, .portrait, .landscapeLeft, .portrait, .portrait),
      (.locked, true, .portrait, .unknown, .portrait, .portrait),
      (.locked, true, .unknown, .landscapeLeft, .landscapeLeft, .landscapeLeft),
      (.locked, true, .unknown, .unknown, .unknown, .unknown),
      (.locked, false, .portrait, .landscapeLeft, .unknown, .portrait),
      (.locked, false, .portrait, .unknown, .unknown, .portrait),
      (.locked, false, .unknown, .landscapeLeft, .unknown, .landscapeLeft),
      (.locked, false, .unknown, .unknown, .unknown, .unknown),
    ]

  @Test(
    "lock, subscribers, what was known and the sensor say together what is seen and answered",
    arguments: lockTable.indices)
  func lockTruth(row: Int) {
    let row = Self.lockTable[row]
    var state = DeviceState()
    state.found(sensor)
    state.isGenerating = true
    state.sample(.wanted)
    if row.before != .unknown { state.changed(change(row.before)) }
    state.set(row.lock)
    state.isGenerating = row.isGenerating
    if row.sensor == .unknown {
      state.failed(.vanished(device: "test"))
    } else {
      state.changed(change(row.sensor, at: 2))
    }
    #expect(state.properties.orientation == row.seen)
    #expect(state.answer == row.answer)
  }

  @Test(
    "locked before anything is known, the first orientation is held and signalled, and later ones are not")
  func firstUnderLock() {
    var state = DeviceState()
    state.found(sensor)
    state.set(.locked)
    state.isGenerating = true
    state.sample(.wanted)
    let before = state.properties
    state.changed(change(.landscapeLeft, at: 5))
    #expect(state.properties.isOrientationSignalDue(since: before))
    #expect(state.shown == change(.landscapeLeft, at: 5))
    state.changed(change(.portrait, at: 6))
    #expect(state.shown == change(.landscapeLeft, at: 5))
    state.set(.unlocked)
    #expect(state.shown == change(.portrait, at: 6))
  }

  @Test(
    "what the lock holds is back at once when there are subscribers again, before the sensor says anything")
  func backAtOnce() {
    var state = running
    state.set(.locked)
    state.isGenerating = false
    state.sample(.notWanted)
    #expect(state.properties.orientation == .unknown)
    let before = state.properties
    state.isGenerating = true
    state.sample(.wanted)
    #expect(state.properties.orientation == .portrait)
    #expect(state.properties.isOrientationSignalDue(since: before))
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

extension DeviceProperties {
  /// The D-Bus names of the properties that are announced after a change from `earlier`.
  fileprivate func changedNames(since earlier: Self) -> [String] {
    (Self.table.changed(from: earlier, to: self) + Self.sensorTable.changed(from: earlier, to: self)).map {
      $0.name
    }
  }
}
