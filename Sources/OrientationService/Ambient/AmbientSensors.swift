// SPDX-License-Identifier: Apache-2.0

// Light, proximity and compass, as the interface for clients sees them: which sensors there are, which of them are
// claimed, and what they measure. While none is claimed, there is no thread, no descriptor and no buffer: only the objects
// here. A short-lived thread looks through the devices at the start and when some came or went.

import CLinux
import IIO
import Orientation
import SensorSetup
import Systemd

/// The sensors beside the accelerometer.
final class AmbientSensors: SleepObserver {
  /// The kinds of these sensors.
  static let kinds: [AmbientSensorKind] = [.light, .proximity, .compass]

  private let loop: EventLoop
  private let log: ServiceLog
  private let samplers: [AmbientSampler]
  private var look: SensorWorker?
  private var isLookDue = false

  /// Whether the devices were looked through at least once.
  private(set) var knowsSensors = false

  /// Called after each look through the devices.
  var whenKnown: () -> Void = {}

  /// Called after the last of the sensors was closed.
  var whenReleased: () -> Void = {}

  /// Creates the sensors, which are looked for from the first ``lookAgain()`` on.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - display: the sampler of the display's accelerometer.
  ///   - log: where messages go.
  init(loop: EventLoop, beside display: SamplerLink, log: ServiceLog) {
    self.loop = loop
    self.log = log
    samplers = Self.kinds.map { AmbientSampler($0, loop: loop, beside: display, log: log) }
    for sampler in samplers {
      sampler.runner.whenReleased = { [unowned(unsafe) self] in if isReleased { whenReleased() } }
    }
  }

  // MARK: What there is

  /// The sampler of a kind.
  func sampler(_ kind: AmbientSensorKind) -> AmbientSampler? { samplers.first { $0.kind == kind } }

  /// Looks through the devices: at the start, and when some came, went or changed.
  func lookAgain() {
    isLookDue = true
    guard look == nil else { return }
    isLookDue = false
    do throws(SourceError) {
      // A look that hangs only delays its result.
      look = try SensorWorker(
        on: loop, whenReported: { [unowned(unsafe) self] in handleReports() }, whenWatched: { _ in },
        work: Self.look)
    } catch {
      log.cannotLookForAmbientSensors(error)
    }
  }

  /// What the thread does that looks.
  private static func look(for link: SensorLink) {
    nameThread("sensor-look")
    do throws(SourceError) {
      // Not in the next line: an indirect case whose value throws needs a function that Embedded Swift 6.2 lacks.
      let catalog = try AmbientCatalog.local()
      link.post(.found(catalog))
    } catch {
      link.post(.failed(error))
    }
    releaseOpeningMemory()
  }

  // MARK: Sleep and end

  /// Whether no sensor is open.
  var isReleased: Bool { samplers.allSatisfy { $0.runner.isReleased } }

  func machine(is phase: MachineSleep.Phase) {
    for sampler in samplers { sampler.runner.machine(is: phase) }
  }

  /// Has all threads end, for the end of the process.
  func requestStop() {
    look?.stop()
    for sampler in samplers { sampler.runner.end() }
  }

  /// Waits until they have ended; true if they did in time, and false if one hangs in a sensor's driver.
  func waitForEnd(until deadline: BootTime) -> Bool {
    var haveEnded = look?.waitForEnd(until: deadline) ?? true
    for sampler in samplers where !sampler.runner.waitForEnd(until: deadline) { haveEnded = false }
    return haveEnded
  }

  // MARK: What a look finds

  private func handleReports() {
    // It stays until this has returned.
    guard let look else { return }
    let hasEnded = look.link.drain { report in
      switch report {
      case .found(let catalog): found(catalog)
      case .failed(let error):
        log.cannotLookForAmbientSensors(error)
        found(AmbientCatalog())
      case .reading, .delivering, .buffered: return
      }
    }
    guard hasEnded else { return }
    self.look = nil
    if isLookDue { lookAgain() }
  }

  private func found(_ catalog: AmbientCatalog) {
    knowsSensors = true
    for sampler in samplers { sampler.found(catalog[sampler.kind]) }
    whenKnown()
  }
}
