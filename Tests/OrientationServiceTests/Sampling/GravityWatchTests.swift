// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import OrientationService

private let upright = Acceleration<ScreenFrame>(x: 0, y: 9.8, z: 0)
private let flat = Acceleration<ScreenFrame>(x: 0, y: 0, z: 9.8)

@Suite("The watch of gravity's regions")
struct GravityWatchTests {
  /// 1 is upright, 2 is flat.
  private let watch = GravityWatch(unknown: 0) { _, gravity in gravity.y > gravity.z ? 1 : 2 }

  @Test("reports nothing while it is off, then the region, and then what changes")
  func changes() {
    #expect(watch.change(with: upright) == nil)
    watch.turn(on: true)
    #expect(watch.change(with: upright) == 1)
    #expect(watch.change(with: upright) == nil)
    #expect(watch.change(with: flat) == 2)
    watch.turn(on: false)
    #expect(watch.change(with: upright) == nil)
  }

  @Test("turned on again reports the region again, even if it is the one reported last")
  func again() {
    watch.turn(on: true)
    #expect(watch.change(with: flat) == 2)
    watch.turn(on: false)
    watch.turn(on: true)
    #expect(watch.change(with: flat) == 2)
  }

  @Test("reports the region again after the sampling has ended, and is not turned on by that")
  func ended() {
    watch.forget()
    #expect(watch.change(with: flat) == nil)
    watch.turn(on: true)
    #expect(watch.change(with: flat) == 2)
    watch.forget()
    #expect(watch.change(with: flat) == 2)
  }

  @Test("the rule is given the region reported last, so that it can have hysteresis")
  func hysteresis() {
    let watch = GravityWatch(unknown: 0) { reported, gravity in gravity.y > (reported == 1 ? 4 : 6) ? 1 : 2 }
    let between = Acceleration<ScreenFrame>(x: 0, y: 5, z: 0)
    watch.turn(on: true)
    #expect(watch.change(with: upright) == 1)
    #expect(watch.change(with: between) == nil)
    #expect(watch.change(with: flat) == 2)
    #expect(watch.change(with: between) == nil)
  }
}
