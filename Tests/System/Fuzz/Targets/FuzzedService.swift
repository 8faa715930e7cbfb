// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO
import Orientation
import Systemd

@testable import OrientationService
@testable import SensorSetup

/// The service's objects on a connection whose other end the input plays, with a sampler that the input plays too.
final class FuzzedService {
  let peer: BusPeer
  let connection: Connection
  private let callers: Callers
  let sampler: Sampler
  let device: DeviceService
  let screen: ScreenService
  private let mounting: MountingService
  private let proxy: SensorProxyService
  private let proxyAccelerometer: ProxyAccelerometer
  private let state: StateKeeper
  private let sleep: MachineSleep
  private let readiness: Readiness

  /// One socket for all of the process, which connections come to one after the other.
  private static let listener: (descriptor: CInt, address: String) = {
    let name = "orientationd-fuzz-\(getpid())"
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // An abstract name: a zero first, and no file.
    withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: name.utf8) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    precondition(result == 0 && listen(descriptor, 4) == 0, "no socket to play the bus on")
    return (descriptor, "unix:abstract=\(name)")
  }()

  init() throws {
    peer = BusPeer(listeningOn: Self.listener.descriptor)
    // libFuzzer's clock is left to the peer's thread: libsystemd gives up a wait that a signal interrupts.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    connection = try Connection(to: .address(Self.listener.address))
    var configuration = Configuration()
    configuration.sensor = .simulated
    configuration.limits.clients = 5
    configuration.limits.clientsPerUser = 3
    configuration.limits.beginsPerClient = 3
    let log = ServiceLog()
    callers = try Callers(on: connection)
    let authorizer = try Authorizer(on: connection, of: callers)
    sampler = try Sampler(configuration: configuration)
    state = try StateKeeper(folder: nil, loop: connection.loop) { _ in }
    sleep = try MachineSleep(connection)
    readiness = try Readiness(connection: connection)
    let restart = try RestartKeeper(folder: nil, connection: connection, callers: callers)
    device = try DeviceService(
      connection: connection, authorizer: authorizer, sampler: sampler, sleep: sleep,
      readiness: readiness, restart: restart, configuration: configuration, log: log)
    screen = try ScreenService(
      connection: connection, device: device, authorizer: authorizer, sampler: sampler,
      state: state, restart: restart, configuration: configuration, log: log)
    mounting = try MountingService(
      connection: connection, device: device, authorizer: authorizer, sampler: sampler,
      keeper: state, answers: screen.answers, configuration: configuration)
    proxy = try SensorProxyService(
      connection: connection, authorizer: authorizer, restart: restart,
      successor: NameSuccessor(), limits: configuration.limits, log: log)
    proxyAccelerometer = ProxyAccelerometer(proxy.sensor(.accelerometer), of: device, showing: screen)
    connection.isNamed = true
    peer.takeOver()
  }

  /// Has both ends do what there is to do.
  func settle() throws(Violation) {
    for _ in 0..<1000 {
      let handled = try? connection.loop.runOnce(timeoutSeconds: 0)
      let isProgress = peer.process()
      if handled != .handledEvent && !isProgress { return }
    }
    throw Violation(reason: "the service does not come to rest")
  }

  /// The sampler says something.
  func sampler(says event: SamplerEvent) {
    sampler.worker.link.post(event)
    device.handleEvents()
  }
}
