// SPDX-License-Identifier: Apache-2.0

import CLinux

// What a device needs before its buffer can be enabled: scan formats, a trigger and a clock.

extension IIODevice {
  /// The device's number N in its id, `iio:deviceN`.
  private var number: Substring {
    Substring(id.utf8.drop { $0 < UInt8(ascii: "0") || $0 > UInt8(ascii: "9") })
  }

  /// Makes sure that the buffer has a trigger, if the device needs one.
  ///
  /// A present trigger is kept, because an administrator or another program has chosen it. Otherwise the device's own
  /// data-ready trigger is set, which IIO drivers call `<name>-dev<N>`, or else another one of the same chip or of no
  /// device that current_trigger accepts. Hardware FIFOs need no trigger and have no current_trigger; whether the device is
  /// ready shows when the buffer is enabled.
  func setTriggerIfNone(keeping settings: OwnSettings) {
    guard triggerName == nil else { return }
    settings.keeping("trigger/current_trigger") { setTrigger() }
  }

  private func setTrigger() {
    let own = "\(name ?? "")-dev\(number)"
    let all = String(parentDirectory(of: directory))
    let triggers = namesOfFiles(in: all).filter { $0.hasPrefix("trigger") }.sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    .map { (name: shortText(ofFile: "\(all)/\($0)/name") ?? "", directory: "\(all)/\($0)") }
    func accepts(_ trigger: String) -> Bool {
      writeAttribute("\(directory)/trigger/current_trigger", trigger) == 0
    }
    if triggers.contains(where: { $0.name == own }), accepts(own) { return }
    // Triggers for motion events fire only when the tablet moves.
    _ = triggers.first {
      strstr($0.name, "motion") == nil && mayUse(triggerDirectory: $0.directory) && accepts($0.name)
    }
  }

  /// Whether a trigger belongs to the chip, or to no device, as those of hrtimer.
  ///
  /// Drivers accept the triggers of other devices too. Such a trigger powers its device up and fires at its rate. When its
  /// device is gone, Linux 6.1 uses freed memory to enable the trigger, and a processor hangs (seen with the trigger of a
  /// HID sensor hub).
  private func mayUse(triggerDirectory: String) -> Bool {
    guard let path = canonicalPath(directory), let triggerPath = canonicalPath(triggerDirectory) else {
      return false
    }
    let parent = parentDirectory(of: triggerPath)
    return parent == parentDirectory(of: path) || parent == "/sys/devices"
  }
}

extension IIOChannel {
  /// How the channel's samples are stored in a scan, as the driver writes it.
  func scanFormatText() throws(SourceError) -> String {
    let path = scanPath("type")
    guard let text = try textOfFile(path) else { throw .missingAttribute(path: path) }
    return text
  }

  /// The channel as a part of a scan.
  ///
  /// - Throws: ``SourceError/noBuffer(device:reason:)`` for an invalid format, because the sensor can still be polled.
  func scanChannel() throws(SourceError) -> ScanChannel {
    let text = try scanFormatText()
    do throws(ScanFormat.ParseError) {
      return ScanChannel(id: id, index: scanIndex, format: try ScanFormat(parsing: text))
    } catch {
      throw .noBuffer(device: scanPath("type"), reason: "\"\(text)\": \(error.reason)")
    }
  }
}

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
