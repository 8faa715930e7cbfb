// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import OrientationService

private let upright = Acceleration<ScreenFrame>(x: 0, y: 9.8, z: 0)
private let flat = Acceleration<ScreenFrame>(x: 0, y: 0, z: 9.8)

@Suite("The watch of the tilt")
struct TiltWatchTests {
  @Test("reports nothing while it is off, then the tilt, and then what changes")
  func changes() {
    let watch = TiltWatch()
    #expect(watch.change(with: upright) == nil)
    watch.turn(on: true)
    #expect(watch.change(with: upright) == .vertical)
    #expect(watch.change(with: upright) == nil)
    #expect(watch.change(with: flat) == .faceUp)
    watch.turn(on: false)
    #expect(watch.change(with: upright) == nil)
  }

  @Test("turned on again reports the tilt again, even if it is the one reported last")
  func again() {
    let watch = TiltWatch()
    watch.turn(on: true)
    #expect(watch.change(with: flat) == .faceUp)
    watch.turn(on: false)
    watch.turn(on: true)
    #expect(watch.change(with: flat) == .faceUp)
  }

  @Test("reports the tilt again after the sampling has ended, and is not turned on by that")
  func ended() {
    let watch = TiltWatch()
    watch.forget()
    #expect(watch.change(with: flat) == nil)
    watch.turn(on: true)
    #expect(watch.change(with: flat) == .faceUp)
    watch.forget()
    #expect(watch.change(with: flat) == .faceUp)
  }

  @Test("looks at the tilt reported last, so that there is hysteresis")
  func hysteresis() {
    let watch = TiltWatch()
    // 67 degrees: flat on the way back, and not yet flat on the way there.
    let between = Acceleration<ScreenFrame>(x: 0, y: 3.83, z: 9.02)
    watch.turn(on: true)
    #expect(watch.change(with: flat) == .faceUp)
    #expect(watch.change(with: between) == nil)
    #expect(watch.change(with: upright) == .vertical)
    #expect(watch.change(with: between) == .tiltedUp)
  }
}
