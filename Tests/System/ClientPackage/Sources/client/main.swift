// SPDX-License-Identifier: Apache-2.0

// An app that is shown in landscape only, on a device that is turned to the left: says which way its interface is to stand.

import Orientation
import OrientationClient

var policy = InterfaceOrientationPolicy()
policy.app.supportedInterfaceOrientations = .landscape
let situation = InterfaceSituation(interface: .portrait, device: .landscapeLeft)
let decision = try policy.setNeedsUpdateOfSupportedInterfaceOrientations(in: situation)
let name = if case .rotate(let orientation) = decision { orientation.name } else { "stay" }
print(name, DeviceSnapshot().orientation.name, ScreenSnapshot().orientation.name)
