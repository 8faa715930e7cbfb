// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

/// What a daemon's memory may differ by without having grown, in kB: the attacks that this is about took tens of MB.
///
/// A sanitizer's own memory grows with the number of places that have allocated, and what is freed comes back late.
private let memoryNoise = isSanitized ? 32 * 1024 : 1024
/// Of the calls that flood, a sanitized daemon gets a tenth: it takes ten times as long for each.
private let floodShare = isSanitized ? 10 : 1
private let isSanitized = ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains {
  ProcessInfo.processInfo.environment[$0] != nil
}

@Suite("Floods")
struct FloodTests {
  @Test(
    "100,000 calls at once while sampling: no sample is late by 2 periods, memory is flat, others are served")
  func burst() throws {
    // At rest it would look less often, and a read that is missing would not be seen.
    let tablet = try Tablet.generating(configuration: "AdaptSampleRate=no")
    let rig = tablet.rig
    #expect(try ClientHelper(["flood", "2000"], on: rig.bus).finish() == ["sent 2000"])
    try tablet.client.catchUp()
    let before = try ProcessUsage(of: rig.daemon.id)

    // Ticks that were missed are not caught up. So the reads between two that a test sees coming, against the time
    // between them, tell how many were; one that is late by 2 periods misses 2. Those for which the machine had no
    // processor, though the sampler was ready, are the machine's, and those in which it stood still.
    let reads = SensorReads(of: chipPath, rig.kernel)
    let start = try reads.waitForNext()
    let countAtStart = reads.count
    let calls = 100_000 / floodShare
    let standstill = Standstill()
    let flood = try ClientHelper(["flood", "\(calls)"], on: rig.bus)
    var served = 0
    while flood.isRunning {
      #expect(try tablet.client.property("SensorStatus") == "active")
      served += 1
    }
    #expect(flood.lines == ["sent \(calls)"])
    try tablet.client.catchUp()
    let end = try reads.waitForNext()
    let stood = standstill.end()
    let due = Int(((end - start) * 25).rounded())
    let missed = due - (reads.count - countAtStart)
    let after = try ProcessUsage(of: rig.daemon.id)
    #expect(after.memory < before.memory + memoryNoise)
    #expect(after.peak < before.peak + 4 * memoryNoise)
    #expect(after.descriptors == before.descriptors)
    let starved = after.threadsReadyInVain - before.threadsReadyInVain
    #expect(
      missed < 2 + Int((starved + stood) * 25),
      "\(missed) of \(due) missed, ready in vain for \(starved) s; the machine stood still for \(stood) s")
    #expect(due > 0 && served > 0)
    // The flood may have left the rotation locked.
    try tablet.client.wait(for: "the lock to be open") {
      tablet.client.refusal { () throws(BusError) in try tablet.client.lock(false) } == nil
    }
    try tablet.turn(to: .landscapeLeft)
  }

  @Test("a subscriber that never reads costs the daemon nothing, and others nothing")
  func deafSubscriber() throws {
    let rig = try Rig(sensor: "simulated")
    let deaf = try Client(on: rig.bus)
    try deaf.begin()
    try deaf.end()
    #expect(try ClientHelper(["flood", "2000"], on: rig.bus).finish() == ["sent 2000"])
    try rig.client.catchUp()
    let before = try ProcessUsage(of: rig.daemon.id)
    // Each Begin and End is announced to everybody: 450 bytes, of which a socket takes some 200,000.
    let calls = 20_000 / floodShare
    for _ in 0..<2 {
      #expect(try ClientHelper(["flood", "\(calls)"], on: rig.bus).finish() == ["sent \(calls)"])
      try rig.client.catchUp()
    }
    let after = try ProcessUsage(of: rig.daemon.id)
    #expect(after.memory < before.memory + memoryNoise)
    #expect(after.peak < before.peak + 4 * memoryNoise)
    try rig.client.begin()
    try rig.client.wait(for: "SensorStatus", toBe: "active")
    withExtendedLifetime(deaf) {}
  }

  /// What makes the orientation known while nobody has subscribed.
  enum KnownBy: CaseIterable {
    case nothing, lock, lockAndMotion
  }

  @Test(
    "of 5,000 Begins and Ends others hear no more than a few, and in the end how it is",
    arguments: KnownBy.allCases)
  func noise(_ knownBy: KnownBy) throws {
    let socket = try MotionSocket()
    let rig = try Rig(sensor: "simulated", motionSocket: socket.descriptor)
    let program = try socket.connect()
    if knownBy != .nothing {
      try rig.client.begin()
      try rig.client.wait(for: "an orientation") { try rig.client.property("OrientationName") != "unknown" }
      try rig.client.lock(true)
      try rig.client.end()
    }
    if knownBy == .lockAndMotion {
      try program.start(.accelerometer, every: 100_000)
      try program.wait(forSamples: 20, of: .accelerometer)
    }
    try rig.client.forget()
    let start = ContinuousClock.now
    let noisy = try Client(on: rig.bus)
    for _ in 0..<5000 {
      try noisy.begin()
      try noisy.end()
    }
    try noisy.begin()
    // What was told until then, which the end of the wait below does not count.
    try rig.client.catchUp()
    var isTold: Bool {
      let last = rig.client.heard.last {
        if case .changed(let values) = $0 {
          values["GeneratesDeviceOrientationNotifications"] != nil
        } else {
          false
        }
      }
      guard case .changed(let values) = last else { return false }
      return values["GeneratesDeviceOrientationNotifications"] == true
    }
    try rig.client.wait(for: "the end of it") { isTold }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    // 20 at once and 10 a second, each with up to four signals.
    let heard = rig.client.heard.count
    #expect(Double(heard) < 100 + 40 * seconds, "\(heard) in \(seconds) s")
  }

  @Test("of 1,000 clients that come and go, nothing stays")
  func comingAndGoing() throws {
    let rig = try Rig(sensor: "simulated")
    for _ in 0..<50 { _ = try BegunClient(on: rig.bus) }
    try rig.client.wait(for: "SensorStatus", toBe: "idle")
    let before = try ProcessUsage(of: rig.daemon.id)
    for number in 0..<1000 {
      let client = try BegunClient(on: rig.bus)
      if number.isMultiple(of: 2) { try client.end() }
    }
    try rig.client.wait(for: "SensorStatus", toBe: "idle")
    let after = try ProcessUsage(of: rig.daemon.id)
    #expect(after.descriptors == before.descriptors)
    #expect(after.memory < before.memory + memoryNoise)
  }

  @Test("of 1,000 clients that begin and are killed, each had the sensor on, and off again afterwards")
  func claimAndDie() throws {
    let rig = try Rig(sensor: "simulated")
    let before = try ProcessUsage(of: rig.daemon.id)
    let helper = try ClientHelper(["claim-and-die", "1000"], on: rig.bus)
    #expect(try helper.finish() == ["claimed 1000, idle 1000"])
    let after = try ProcessUsage(of: rig.daemon.id)
    #expect(after.descriptors == before.descriptors)
    #expect(after.memory < before.memory + memoryNoise)
  }

  @Test("a polled sensor is not read any more once the last client is dead")
  func sensorOff() throws {
    let tablet = try Tablet()
    #expect(
      try ClientHelper(["claim-and-die", "20"], on: tablet.rig.bus).finish() == ["claimed 20, idle 20"])
    let reads = SensorReads(of: chipPath, tablet.rig.kernel)
    try tablet.client.spend(seconds: 0.5)
    reads.look()
    #expect(reads.count == 0)
    // That it can tell is shown by those that follow.
    try tablet.client.begin()
    _ = try reads.waitForNext()
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(tablet.rig.daemon.id)/fd").count
    try tablet.client.end()
    try tablet.client.wait(for: "the sensor to be closed") {
      try ProcessUsage(of: tablet.rig.daemon.id).descriptors < open
    }
  }

  @Test("SIGTERM ends it while calls flood in without end")
  func termination() throws {
    let rig = try Rig(sensor: "simulated")
    let floods = try (0..<2).map { _ in try ClientHelper(["flood", "100000000"], on: rig.bus) }
    let ids = floods.map(\.id) + [rig.daemon.id]
    try wait(for: "both to be at it, and the daemon") {
      try ids.allSatisfy { try ProcessUsage(of: $0).processorSeconds > 0.5 }
    }
    #expect(try rig.end() == 0)
    #expect(floods.allSatisfy { $0.isRunning })
  }
}
