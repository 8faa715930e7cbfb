// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import IIO

@Suite("What a light sensor, proximity sensor or compass says")
struct AmbientReadingTests {
  @Test(
    "a heading is the angle clockwise from north, without whole turns",
    arguments: [
      (0.0, 0.0), (90, 90), (359.99, 359.99), (360, 0), (361.5, 1.5), (-90, 270), (-360, 0), (-0.0, 0),
      (725, 5),
      (-1e-20, 0), (-725, 355),
    ])
  func heading(angle: Double, degrees: Double) throws {
    let heading = try #require(CompassHeading(degrees: angle))
    #expect(heading.degrees == degrees)
    #expect(heading.degrees.sign == .plus)
  }

  @Test("every number makes a heading of at least 0 and less than 360 degrees; what is no number makes none")
  func headingRange() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<10_000 {
      let angle = Double.random(in: -1e6...1e6, using: &random)
      let degrees = try #require(CompassHeading(degrees: angle)).degrees
      #expect(degrees >= 0 && degrees < 360)
      let turns = (angle - degrees) / 360
      #expect(abs(turns - turns.rounded()) < 1e-6, "\(angle) is not \(degrees)")
    }
    #expect(CompassHeading(degrees: .nan) == nil)
    #expect(CompassHeading(degrees: .infinity) == nil)
  }

  @Test("a heading is news from one degree on, also across north")
  func headingNews() throws {
    var changes = AmbientChanges(of: .heading)
    #expect(changes.take(359.6) == .compass(try #require(CompassHeading(degrees: 359.6))))
    #expect(changes.take(0.4) == nil)
    #expect(changes.take(359) == nil)
    #expect(changes.take(0.6) == .compass(try #require(CompassHeading(degrees: 0.6))))
  }

  @Test("light is news from 2 percent on; in the dark each count is")
  func lightNews() {
    var changes = AmbientChanges(of: .illuminance)
    #expect(changes.take(100) == .light(.illuminance(lux: 100)))
    #expect(changes.take(100) == nil)
    #expect(changes.take(101.9) == nil)
    #expect(changes.take(98.1) == nil)
    #expect(changes.take(102) == .light(.illuminance(lux: 102)))
    #expect(changes.take(0) == .light(.illuminance(lux: 0)))
    #expect(changes.take(0) == nil)
    #expect(changes.take(0.01) == .light(.illuminance(lux: 0.01)))
  }

  @Test("light that drifts slowly is told too: each level is held against the one told last")
  func drift() {
    var changes = AmbientChanges(of: .illuminance)
    let told = (0...1000).compactMap { changes.take(100 + Double($0) * 0.1) }
    #expect(told.first == .light(.illuminance(lux: 100)))
    #expect(told.count > 30 && told.count < 40)
    guard case .light(let last)? = told.last else { return #expect(Bool(false)) }
    #expect(last.value > 200 / (1 + LightLevel.leastDifference))
  }

  @Test("no light is darker than dark, whatever an offset makes of it")
  func negativeLight() {
    var changes = AmbientChanges(of: .intensity)
    #expect(changes.take(-3) == .light(.intensity(vendorUnits: 0)))
  }

  @Test("something is near from the near level on, and far from a tenth below it on")
  func proximity() throws {
    var changes = AmbientChanges(of: .proximity(try #require(NearLevel(counts: 500))))
    #expect(changes.take(499) == .proximity(.far))
    #expect(changes.take(500) == .proximity(.near))
    #expect(changes.take(450) == nil)
    #expect(changes.take(449) == .proximity(.far))
    #expect(changes.take(450) == nil)
    #expect(changes.take(499) == nil)
    #expect(changes.take(65535) == .proximity(.near))
  }

  @Test(
    "noise of less than a tenth around any level between near and far changes nothing",
    arguments: [460.0, 475, 499])
  func noise(level: Double) throws {
    var random = SeededGenerator(seed: 11)
    var changes = AmbientChanges(of: .proximity(try #require(NearLevel(counts: 500))))
    var told = 0
    for _ in 0..<1000 where changes.take(level + Double.random(in: -9...9, using: &random)) != nil {
      told += 1
    }
    // The first, and one for the noise that reached the near level.
    #expect(told <= 2)
  }

  @Test("a near level that nothing could be below is none", arguments: [0, -1, .infinity, .nan])
  func nearLevel(counts: Double) {
    #expect(NearLevel(counts: counts) == nil)
  }
}
