// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

/// Each for every mounting and both signs.
@Suite("Poses of a calibration")
struct PoseReadingsTests {
  /// A person with a tablet, who may hold it other than asked.
  private struct Person {
    let mounting: ChipMounting
    let sign: SignConvention
    var poses: PoseReadings

    /// Holds the tablet so that this, in the screen's axes, holds it up; returns what is wrong with it.
    mutating func hold(_ held: SIMD3<Double>, for pose: CalibrationPose) -> PoseProblem? {
      #expect(poses.next == pose)
      do throws(PoseProblem) {
        try poses.take(mounting.reading(of: held, sign), as: pose)
        return nil
      } catch {
        return error
      }
    }

    /// Holds it as asked.
    mutating func hold(_ pose: CalibrationPose) -> PoseProblem? { hold(pose.heldUpBy, for: pose) }
  }

  private func forEveryPerson(_ body: (inout Person) throws -> Void) rethrows {
    for mounting in ChipMounting.all {
      for sign in signs {
        var person = Person(mounting: mounting, sign: sign, poses: PoseReadings(expectedSign: sign))
        try body(&person)
      }
    }
  }

  @Test("are asked for in order, and the last one ends it")
  func order() {
    forEveryPerson { person in
      for pose in CalibrationPose.allCases {
        #expect(person.poses.calibration == nil)
        #expect(person.hold(pose) == nil)
      }
      #expect(person.poses.calibration?.sign == person.sign)
    }
  }

  @Test("that are the same as an earlier one are refused, and asked for again")
  func same() {
    forEveryPerson { person in
      let upright = CalibrationPose.upright.heldUpBy
      _ = person.hold(.upright)
      #expect(person.hold(upright, for: .flat) == .same(.flat, as: .upright, degreesApart: 0))
      #expect(person.hold(.flat) == nil)
      #expect(
        person.hold(held(elevation: 60, roll: 0), for: .rightEdgeUp)
          == .same(.rightEdgeUp, as: .upright, degreesApart: 30))
      #expect(person.hold(.rightEdgeUp) == nil)
      #expect(person.poses.calibration?.sign == person.sign)
    }
  }

  @Test("that are half a turn from an earlier one are refused, and asked for again")
  func opposite() {
    forEveryPerson { person in
      _ = person.hold(.upright)
      _ = person.hold(.flat)
      #expect(
        person.hold(-CalibrationPose.upright.heldUpBy, for: .rightEdgeUp)
          == .opposite(.rightEdgeUp, of: .upright))
      #expect(
        person.hold(-CalibrationPose.flat.heldUpBy, for: .rightEdgeUp) == .opposite(.rightEdgeUp, of: .flat))
      #expect(person.hold(.rightEdgeUp) == nil)
      #expect(person.poses.calibration?.sign == person.sign)
    }
  }

  @Test("that are tilted too far are refused at once, and not blamed on the next one")
  func tilted() {
    forEveryPerson { person in
      for roll in [40.0, 51] {
        #expect(
          person.hold(held(elevation: 90, roll: roll), for: .upright)
            == .betweenAxes(.upright, degreesOff: roll < 45 ? 40 : 39))
      }
      for pose in CalibrationPose.allCases { #expect(person.hold(pose) == nil) }
    }
  }

  @Test("that read the same twice are believed, and the earlier one is asked for again")
  func earlierWrong() {
    forEveryPerson { person in
      _ = person.hold(CalibrationPose.flat.heldUpBy, for: .upright)
      #expect(person.hold(.flat) == .same(.flat, as: .upright, degreesApart: 0))
      #expect(person.hold(.flat) == .earlierDoubted(.upright, by: .flat))
      for pose in [CalibrationPose.upright, .rightEdgeUp] { #expect(person.hold(pose) == nil) }
      #expect(person.poses.calibration?.sign == person.sign)
    }
  }

  @Test(
    "that are the wrong way round are found when all are there; all are asked for again, and may be right then",
    arguments: CalibrationPose.allCases)
  func wrongWayRound(_ wrong: CalibrationPose) {
    forEveryPerson { person in
      for pose in CalibrationPose.allCases {
        let problem = person.hold(pose == wrong ? -pose.heldUpBy : pose.heldUpBy, for: pose)
        #expect(problem == (pose == .rightEdgeUp ? .mirrored : nil))
      }
      for pose in CalibrationPose.allCases { #expect(person.hold(pose) == nil) }
      #expect(person.poses.calibration?.sign == person.sign)
    }
  }

  @Test("of which two were exchanged are found too", arguments: CalibrationPose.allCases)
  func exchanged(_ inPlace: CalibrationPose) {
    forEveryPerson { person in
      let others = CalibrationPose.allCases.filter { $0 != inPlace }
      for pose in CalibrationPose.allCases {
        let taken = pose == inPlace ? pose : pose == others[0] ? others[1] : others[0]
        #expect(person.hold(taken.heldUpBy, for: pose) == (pose == .rightEdgeUp ? .mirrored : nil))
      }
      #expect(person.poses.calibration == nil)
    }
  }

  @Test("of a sensor whose sign is not that of its kind are believed when they come out so twice")
  func unusualSign() {
    for mounting in ChipMounting.all {
      for sign in signs {
        let other: SignConvention = sign == .gravity ? .specificForce : .gravity
        var person = Person(mounting: mounting, sign: sign, poses: PoseReadings(expectedSign: other))
        let problems = (CalibrationPose.allCases + CalibrationPose.allCases).map { person.hold($0) }
        #expect(problems == [nil, nil, .mirrored, nil, nil, nil])
        #expect(person.poses.calibration?.sign == sign)
      }
    }
  }

  @Test(
    "of which the sensor reads no gravity are refused",
    arguments: [0, 0.005, 61, .nan, .infinity] as [Double])
  func noGravity(length: Double) {
    var poses = PoseReadings(expectedSign: .specificForce)
    let error = #expect(throws: PoseProblem.self) {
      try poses.take(Acceleration(x: 0, y: length * standardGravity, z: 0), as: .upright)
    }
    guard case .notGravity(.upright, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(poses.next == .upright)
  }

  @Test("are taken from a sensor with a wrong scale", arguments: [0.02, 0.1, 10, 50])
  func wrongScale(scale: Double) {
    forEveryPerson { person in
      for pose in CalibrationPose.allCases { #expect(person.hold(pose.heldUpBy * scale, for: pose) == nil) }
      #expect(person.poses.calibration?.sign == person.sign)
      #expect(person.poses.lengths.values.allSatisfy { abs($0 - scale) < 1e-9 * scale })
    }
  }

  @Test(
    "of which one is half or one and a half of gravity, because an axis is off, are taken",
    arguments: [0.5, 1.5])
  func offset(length: Double) {
    forEveryPerson { person in
      #expect(person.hold(.upright) == nil)
      #expect(person.hold(CalibrationPose.flat.heldUpBy * length, for: .flat) == nil)
      #expect(person.hold(.rightEdgeUp) == nil)
      #expect(person.poses.calibration?.sign == person.sign)
    }
  }

  @Test("in which an axis is dead are refused, whether they come before or after the others")
  func deadAxis() {
    forEveryPerson { person in
      let (upright, flat) = (CalibrationPose.upright.heldUpBy, CalibrationPose.flat.heldUpBy)
      #expect(person.hold(upright * 0.04, for: .upright) == nil)
      #expect(person.hold(flat, for: .flat) == .tooShort(.upright, percent: 4, of: .flat))
      #expect(person.hold(upright * 0.04, for: .upright) == .tooShort(.upright, percent: 4, of: .flat))
      for pose in [CalibrationPose.upright, .rightEdgeUp] { #expect(person.hold(pose) == nil) }
      #expect(person.poses.calibration?.sign == person.sign)
    }
  }

  @Test("that lie between the axes of every mounting are refused")
  func betweenAxes() {
    var poses = PoseReadings(expectedSign: .specificForce)
    // A chip that is turned by a third of a turn about its diagonal, halfway: every axis of the screen is 48 degrees
    // from the nearest of the chip's.
    let rows = [SIMD3(2.0, 2, -1), SIMD3(-1, 2, 2), SIMD3(2, -1, 2)].map { $0 / 3 }
    var problem: PoseProblem?
    for (pose, row) in zip(CalibrationPose.allCases, rows) {
      let reading = row * standardGravity
      do throws(PoseProblem) {
        try poses.take(Acceleration(x: reading.x, y: reading.y, z: reading.z), as: pose)
      } catch {
        problem = error
      }
    }
    guard case .betweenAxes(_, 48)? = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
    #expect(poses.calibration == nil)
  }

  @Test("that never change give no matrix, however often they are taken")
  func stuck() {
    for mounting in ChipMounting.all {
      var poses = PoseReadings(expectedSign: .specificForce)
      for _ in 0..<30 {
        try? poses.take(mounting.reading(of: SIMD3(0, 0, 1), .specificForce), as: poses.next)
      }
      #expect(poses.calibration == nil)
    }
  }

  @Test("each say in their refusal which pose is taken next")
  func words() {
    for (problem, next) in [
      (.unsteady(.flat, seconds: 1), "not held still for a second. Once more, flat."),
      (.unsteady(.flat, seconds: 2), "not held still for 2 seconds. Once more, flat."),
      (.same(.rightEdgeUp, as: .flat, degreesApart: 12), "right edge up."),
      (.opposite(.flat, of: .upright), "Once more, flat."),
      (.notGravity(.flat, magnitude: 3), "Once more, flat."),
      (.tooShort(.flat, percent: 4, of: .upright), "Once more, flat."),
      (.earlierDoubted(.upright, by: .flat), "Once more, upright."),
      (.betweenAxes(.flat, degreesOff: 50), "flat"),
      (.mirrored, "All three once more,"),
    ] as [(PoseProblem, String)] {
      #expect(problem.description.contains(next))
    }
  }
}
