// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import TestSupport
import Testing

@testable import OrientationService

@Suite("A process that saves states")
struct StateFileKillTests {
  @Test("killed at 200 random moments leaves one of its states whole each time, and no files behind")
  func killed() throws {
    // Those of the helper, which differ in everything: a mixture of the two would be neither.
    let states: [LoadedState] = [
      .state(
        SavedState(isRotationLocked: true, interfaceOrientation: .landscapeLeft, supported: .landscape)),
      .state(SavedState(interfaceOrientation: .portraitUpsideDown, supported: .all)),
    ]
    let rig = try StateRig()
    for _ in 0..<200 {
      let helper = try StateHelper("save-forever", in: rig.folder.path)
      #expect(helper.read() == "begun\n")
      usleep(.random(in: 0..<5_000))
      helper.kill()
      #expect(Set(try rig.names).isSubset(of: ["state", "state.new"]))
      #expect(states.contains(try rig.file.load()))
      #expect(try rig.names == ["state"])
    }
  }
}
