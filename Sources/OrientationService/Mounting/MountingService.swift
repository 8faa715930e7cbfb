// SPDX-License-Identifier: Apache-2.0

// How the accelerometer is mounted, by what people set. The sampler thread uses the matrices at its next look at the devices, which
// follows at once; what clients read of them is computed here from the last look, so that it is there before the answer.

import IIO
import Orientation
import SensorSetup
import Systemd

/// Serves `org.orientationd1.Sensor`.
final class MountingService: DeviceObserver {
  /// The longest preview, in seconds.
  private static let longestPreview: UInt32 = 60

  let device: DeviceService
  private let authorizer: Authorizer
  private let changes: AuthorizedChanges
  private let sampler: Sampler
  private let keeper: StateKeeper
  private var configuration: Configuration
  /// The matrix that is tried at present, and the client that tries it; nil if none is.
  private var preview: (matrix: SensorMatrix, client: String)?
  private var previewEnds: Timer?
  private var scan: SensorScan?
  private var object: ObjectSlot?

  /// Puts the interface on the bus.
  ///
  /// - Parameters:
  ///   - connection: the bus.
  ///   - device: tells what the accelerometer is, and announces how it is mounted.
  ///   - authorizer: knows who calls, and asks polkit.
  ///   - sampler: uses the matrices; it has those that are kept already.
  ///   - keeper: keeps them.
  ///   - answers: the answers that wait for the disk.
  ///   - configuration: what else decides on the mounting.
  /// - Throws: `BusError` if the connection is closed.
  init(
    connection: Connection, device: DeviceService, authorizer: Authorizer, sampler: Sampler,
    keeper: StateKeeper, answers: SettledAnswers, configuration: Configuration
  ) throws(BusError) {
    (self.device, self.authorizer, self.sampler) = (device, authorizer, sampler)
    (self.keeper, self.configuration) = (keeper, configuration)
    changes = AuthorizedChanges(by: authorizer, answers: answers)
    previewEnds = try BusError.wrapping { () throws(SystemdError) in
      try connection.loop.timer { [unowned(unsafe) self] in endPreview() }
    }
    authorizer.callers.watch(
      holders: { [unowned(unsafe) self] in preview.map { [$0.client] } ?? [] },
      left: { [unowned(unsafe) self] client in if client == preview?.client { endPreview() } })
    object = try ObjectSlot(on: connection.bus, path: DBusNames.path, interface: .sensor(self))
    device.add(self)
  }

  /// Uses another configuration from now on.
  func reconfigure(_ configuration: Configuration) {
    self.configuration = configuration
    showMounting()
    device.announce()
  }

  func devicesFound(_ scan: SensorScan) {
    self.scan = scan
    showMounting()
  }

  // MARK: Calls of clients

  func setMountMatrix(_ call: consuming Message) throws(BusError) {
    let matrix = try Self.matrix(try call.readString())
    try perform(
      call,
      checking: { [unowned(unsafe) self] model throws(BusError) in
        try checkSettable()
        try checkTried(on: model)
      },
      isChange: { [unowned(unsafe) self] model in
        preview != nil || matrices.candidate(for: model)?.matrix != matrix
      }
    ) { [unowned(unsafe) self] model, _ in keep(matrix, of: model) }
  }

  func previewMountMatrix(_ call: consuming Message) throws(BusError) {
    let matrix = try Self.matrix(try call.readString())
    let seconds = try call.readUInt32()
    guard 1...Self.longestPreview ~= seconds else {
      throw .invalidArguments("A preview takes 1 to \(Self.longestPreview) s, not \(seconds).")
    }
    try perform(
      call, checking: { [unowned(unsafe) self] _ throws(BusError) in try checkSettable() },
      isChange: { _ in true }
    ) { [unowned(unsafe) self] model, caller in
      preview = (SensorMatrix(model: model, matrix: matrix), caller.client)
      previewEnds?.arm(afterSeconds: Double(seconds))
    }
  }

  func endMountMatrixPreview(_ call: consuming Message) throws(BusError) {
    // A preview that polkit still looks at comes first.
    try authorizer.inTurn(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      if preview?.client == caller.client { endPreview() }
      try call.reply().send()
    }
  }

  func resetMountMatrix(_ call: consuming Message) throws(BusError) {
    try perform(
      call,
      isChange: { [unowned(unsafe) self] model in
        preview != nil || matrices.candidate(for: model) != nil
      }
    ) { [unowned(unsafe) self] model, _ in keep(nil, of: model) }
  }

  /// Reads the matrix of a call.
  private static func matrix(_ text: String) throws(BusError) -> MountMatrix {
    do throws(MountMatrixError) {
      let matrix = try MountMatrix(parsing: text)
      try matrix.checkTurn()
      return matrix
    } catch {
      throw .invalidArguments("\(error)")
    }
  }

  /// The accelerometer in use, if it can have a matrix.
  private func model() throws(BusError) -> String {
    guard let model = scan?.sensor?.model else {
      throw .sensorUnavailable(
        "There is no accelerometer of this machine whose mount matrix could be set."
          + " (orientationctl sensors says more.)")
    }
    return model
  }

  private func checkSettable() throws(BusError) {
    guard configuration.mountMatrix == nil else {
      throw BusError(
        name: ServiceErrorName.mountMatrixConfigured,
        message: "The configuration decides: it has a MountMatrix=, before which no other one counts."
          + " (orientationd.conf(5))")
    }
  }

  /// Checks that a matrix that is tried at present, which a call may confirm, is tried on this sensor.
  private func checkTried(on model: String) throws(BusError) {
    guard let preview, preview.matrix.model != model else { return }
    throw .sensorUnavailable("The accelerometer on which a mount matrix is tried is not in use any more.")
  }

  /// Carries a call out when polkit allows it, if the same accelerometer is in use then.
  private func perform(
    _ call: consuming Message,
    checking check: @escaping (_ model: String) throws(BusError) -> Void = { _ in },
    isChange: @escaping (_ model: String) -> Bool,
    act: @escaping (_ model: String, _ caller: Caller) -> Void
  ) throws(BusError) {
    let model = try model()
    let checkAgain = { [unowned(unsafe) self] () throws(BusError) in
      guard try self.model() == model else {
        throw BusError.sensorUnavailable("Another accelerometer is in use since the call was made.")
      }
      try check(model)
    }
    try changes.perform(
      .setMountMatrix, for: call,
      isChange: { _ throws(BusError) in
        try checkAgain()
        return isChange(model)
      }
    ) { [unowned(unsafe) self] caller throws(BusError) in
      try checkAgain()
      act(model, caller)
      apply()
    }
  }

  /// What people have set.
  private var matrices: SetMatrices {
    SetMatrices(preview: preview?.matrix, kept: keeper.state.mountMatrices)
  }

  // MARK: Acting

  private func keep(_ matrix: MountMatrix?, of model: String) {
    forgetPreview()
    var state = keeper.state
    state.setMountMatrix(matrix, of: model)
    keeper.keep(state)
  }

  private func forgetPreview() {
    preview = nil
    previewEnds?.cancel()
  }

  /// The preview's time is up, or its client has left: the matrix before counts again.
  private func endPreview() {
    forgetPreview()
    apply()
  }

  private func apply() {
    sampler.use(matrices)
    showMounting()
    device.announce()
  }

  private func showMounting() {
    guard let scan, let sensor = scan.sensor, case .device(let description) = sensor.origin else {
      return device.set(scan?.sensor?.mounting)
    }
    device.set(
      Mounting(
        of: description, configuration: configuration, natural: scan.natural.orientation,
        set: matrices.candidate(for: sensor.model)))
  }
}
