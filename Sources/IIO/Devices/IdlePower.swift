// SPDX-License-Identifier: Apache-2.0

// After a sensor is closed, it stays powered for some seconds, because it may be used again (autosuspend,
// Documentation/power/runtime_pm.rst). During that time, the kernel considers it powered and does not check. This is wrong
// for a hub that was closed right before the machine slept: sleep powers it down, and resume powers up only what is in use
// at that moment (hid-sensor-trigger, Linux 6.1 and later). A program that opens it then gets no sample, as long as any
// program continues to use it.

extension IIODevice {
  /// Makes the kernel power down a sensor that no program uses, so that it is powered up when it is opened.
  ///
  /// If a program uses the sensor, or the kernel does not permit this, nothing happens.
  func powerDownIfIdle() {
    // The power folder of the chip or hub, whose part the IIO device is.
    let power = "\(directory)/../power"
    let delayPath = "\(power)/autosuspend_delay_ms"
    guard (try? textOfFile("\(power)/runtime_status")) == "active",
      let delay = (try? textOfFile(delayPath)) ?? nil
    else { return }
    // This write waits until the sensor is powered down.
    if writeAttribute(delayPath, "0") == 0 { _ = writeAttribute(delayPath, delay) }
  }
}
