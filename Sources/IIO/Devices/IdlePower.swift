// SPDX-License-Identifier: Apache-2.0

import CLinux

// A sensor that was let go of stays powered for some seconds, as it may be wanted again (autosuspend,
// Documentation/power/runtime_pm.rst). For so long the kernel takes it for powered and does not look. A hub that was let go of
// right before the machine slept is not: sleep powers it down, and waking up powers up only what is in use at that moment
// (hid-sensor-trigger, Linux 6.1 and later). Who opens it then gets no sample, for as long as anybody goes on using it.

extension IIODevice {
  /// Has the kernel power down a sensor that nobody uses, so that it is powered up when it is opened.
  ///
  /// Where somebody uses it, nothing happens, and where the kernel does not let us, neither.
  func powerDownIfIdle() {
    // That of the chip or hub, which the IIO device is a part of.
    let power = "\(directory)/../power"
    let delayPath = "\(power)/autosuspend_delay_ms"
    guard (try? textOfFile("\(power)/runtime_status")) == "active",
      let delay = (try? textOfFile(delayPath)) ?? nil
    else { return }
    // Who writes this waits until it is powered down.
    if writeAttribute(delayPath, "0") == 0 { _ = writeAttribute(delayPath, delay) }
  }
}
