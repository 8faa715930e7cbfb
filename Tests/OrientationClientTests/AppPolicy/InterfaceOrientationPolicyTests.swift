// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import OrientationClientTesting
import Testing

/// The sixteen sets of orientations.
private let masks = (0..<16).map { InterfaceOrientationMask(rawValue: $0 << 1) }

/// Sets for each of four levels: some that go together and some that do not.
private let combinations: [[InterfaceOrientationMask]] = {
  let some: [InterfaceOrientationMask] = [
    .all, .portrait, .landscapeLeft, .landscape, .allButUpsideDown, [.portrait, .landscapeLeft],
    [.landscapeRight, .portraitUpsideDown], [],
  ]
  return some.flatMap { device in
    some.flatMap { app in some.flatMap { window in some.map { [device, app, window, $0] } } }
  }
}()

private func policy(_ masks: [InterfaceOrientationMask]) -> InterfaceOrientationPolicy {
  var policy = InterfaceOrientationPolicy()
  policy.supported = [.device: masks[0], .application: masks[1], .window: masks[2], .view: masks[3]]
  return policy
}

/// What all of some sets have.
private func common(_ masks: [InterfaceOrientationMask]) -> InterfaceOrientationMask {
  masks.reduce(.all) { $0.intersection($1) }
}

/// Every situation there can be.
private let situations: [ScreenState] = InterfaceOrientation.allCases.flatMap { interface in
  DeviceOrientation.allCases.flatMap { device in
    [.unlocked, .locked].map { ScreenState(interface: interface, device: device, lock: $0) }
  }
}

/// The conflict that asking for the supported orientations throws; nil where it throws none.
private func refusal(of policy: InterfaceOrientationPolicy) -> InterfaceOrientationConflict? {
  do throws(InterfaceOrientationConflict) {
    _ = try policy.supportedInterfaceOrientations
    return nil
  } catch {
    return error
  }
}

@Suite("The levels of an interface orientation policy")
struct InterfaceOrientationLevelTests {
  @Test("that say nothing support all orientations, prefer none, and follow the device")
  func defaults() throws {
    let policy = InterfaceOrientationPolicy()
    #expect(try policy.supportedInterfaceOrientations == .all)
    #expect(policy.shouldAutorotate)
    #expect(policy.preferredInterfaceOrientation == nil)
  }

  @Test("support together what each of them supports")
  func intersection() throws {
    for masks in combinations {
      guard !common(masks).isEmpty else { continue }
      #expect(try policy(masks).supportedInterfaceOrientations == common(masks))
    }
  }

  // The law: the levels named exclude one another, and each of them is needed for that.
  @Test("that leave nothing are named: as few as exclude one another")
  func conflicts() throws {
    for masks in combinations where common(masks).isEmpty {
      let conflict = try #require(refusal(of: policy(masks)))
      let claims = conflict.claims.map(\.supported)
      let byLevel: [InterfaceOrientationLevel: InterfaceOrientationMask] = Dictionary(
        uniqueKeysWithValues: zip([.device, .application, .window, .view], masks))
      #expect(claims == conflict.levels.map { byLevel[$0] })
      #expect(common(claims).isEmpty)
      for index in claims.indices {
        let others = claims.indices.filter { $0 != index }.map { claims[$0] }
        #expect(!common(others).isEmpty)
      }
    }
  }

  @Test("in conflict are told in words, also where one alone supports nothing")
  func words() {
    var policy = InterfaceOrientationPolicy()
    policy.supported[.application] = [.portrait, .portraitUpsideDown]
    policy.supported[.view] = .landscape
    #expect(
      refusal(of: policy)
        == InterfaceOrientationConflict(claims: [
          .init(level: .view, supported: .landscape),
          .init(level: .application, supported: [.portrait, .portraitUpsideDown]),
        ]))
    #expect(
      refusal(of: policy).map { "\($0)" }
        == "no interface orientation is left: view supports landscapeRight and landscapeLeft, "
        + "app supports portrait and portraitUpsideDown")
    policy.supported[.window] = []
    #expect(refusal(of: policy).map { "\($0)" } == "no interface orientation is left: window supports none")
    // Bits that stand for no orientation support none.
    policy.supported[.window] = InterfaceOrientationMask(rawValue: 0xffff_ffe1)
    #expect(refusal(of: policy)?.claims.map(\.supported) == [[]])
  }

  @Test("may need three for a conflict")
  func three() {
    let conflict = refusal(
      of: policy([.all, [.portrait, .landscapeLeft], [.portrait, .landscapeRight], .landscape]))
    #expect(conflict?.levels == [.view, .window, .application])
  }
}

@Suite("An interface orientation policy")
struct InterfaceOrientationPolicyTests {
  private func policy(
    _ supported: InterfaceOrientationMask, autorotates: Bool = true, prefers: InterfaceOrientation? = nil
  ) -> InterfaceOrientationPolicy {
    var policy = InterfaceOrientationPolicy()
    policy.supported[.view] = supported
    policy.shouldAutorotate = autorotates
    policy.preferredInterfaceOrientation = prefers
    return policy
  }

  @Test("leads to a supported orientation")
  func supported() throws {
    for mask in masks where !mask.isEmpty {
      for prefers in InterfaceOrientation.allCases {
        for autorotates in [false, true] {
          let policy = policy(mask, autorotates: autorotates, prefers: prefers)
          for situation in situations {
            #expect(mask.contains(try policy.orientation(in: situation)))
          }
        }
      }
    }
  }

  @Test("with nothing supported answers with the conflict", arguments: [false, true])
  func conflict(hasPreference: Bool) {
    let policy = policy([], prefers: hasPreference ? .portrait : nil)
    for situation in situations {
      #expect(throws: InterfaceOrientationConflict.self) { try policy.orientation(in: situation) }
    }
  }

  @Test("follows the device where that is supported; else it stays")
  func follows() throws {
    for mask in masks {
      for situation in situations where mask.contains(situation.interface) && situation.lock == .unlocked {
        let upright = InterfaceOrientation(uprightOn: situation.device).flatMap {
          mask.contains($0) ? $0 : nil
        }
        #expect(try policy(mask).orientation(in: situation) == upright ?? situation.interface)
      }
    }
  }

  @Test("locked, or told not to autorotate, stays where it may be")
  func holds() throws {
    for mask in masks {
      for situation in situations where mask.contains(situation.interface) {
        let fixed = policy(mask, autorotates: false)
        #expect(try fixed.orientation(in: situation) == situation.interface)
        guard situation.lock == .locked else { continue }
        #expect(try policy(mask).orientation(in: situation) == situation.interface)
      }
    }
  }

  @Test("where the interface may not stay, takes the preferred, else the device's, else the first supported")
  func substitutes() throws {
    for mask in masks where !mask.isEmpty {
      for prefers in InterfaceOrientation.allCases {
        for situation in situations where !mask.contains(situation.interface) {
          let upright = InterfaceOrientation(uprightOn: situation.device)
          let expected = [prefers, upright, mask.first].compactMap { $0 }.first { mask.contains($0) }
          #expect(try policy(mask, prefers: prefers).orientation(in: situation) == expected)
        }
      }
    }
  }

  @Test(
    "presenting a view, takes the preferred orientation where it is supported, however the device is held")
  func presentation() throws {
    for mask in masks where !mask.isEmpty {
      for prefers in InterfaceOrientation.allCases {
        for situation in situations {
          let orientation = try policy(mask, prefers: prefers).orientation(in: situation)
          let otherwise = try policy(mask).orientation(in: situation)
          #expect(orientation == (mask.contains(prefers) ? prefers : otherwise))
        }
      }
    }
  }

  @Test("with nothing supported, but told not to autorotate, shows the interface as it is")
  func conflictWithoutAutorotation() throws {
    for prefers in [nil, InterfaceOrientation.landscapeLeft] {
      let policy = policy([], autorotates: false, prefers: prefers)
      for situation in situations {
        #expect(try policy.orientation(in: situation) == situation.interface)
      }
      #expect(throws: InterfaceOrientationConflict.self) { try policy.supportedInterfaceOrientations }
    }
  }

  @Test("tells a preferred orientation that is not supported")
  func unsupportedPreference() {
    for mask in masks {
      for prefers in InterfaceOrientation.allCases {
        let preference = policy(mask, prefers: prefers).unsupportedPreference
        #expect((preference == nil) == (prefers == .unknown || mask.contains(prefers)))
        guard let preference else { continue }
        #expect(preference.level == .view)
        #expect(preference.preferred == prefers)
        #expect(preference.excludedBy.map(\.level) == [.view])
        #expect(preference.excludedBy.map(\.supported) == [mask])
      }
      #expect(policy(mask).unsupportedPreference == nil)
    }
  }

  @Test("says at once what comes of a view that changes its mind: a player that leaves the whole screen")
  func change() throws {
    var policy = InterfaceOrientationPolicy()
    policy.supported = [.application: .allButUpsideDown, .view: .landscape]
    policy.preferredInterfaceOrientation = .landscapeRight
    var situation = ScreenState(interface: .portrait, device: .portrait)
    #expect(try policy.orientation(in: situation) == .landscapeRight)
    situation.interface = .landscapeRight
    policy.preferredInterfaceOrientation = nil
    #expect(try policy.orientation(in: situation) == situation.interface)
    policy.supported[.view] = nil
    #expect(try policy.orientation(in: situation) == .portrait)
  }
}
