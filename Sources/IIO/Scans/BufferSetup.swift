// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux

// What a device needs before its buffer can be enabled: scan formats, a trigger and a clock.

extension IIODevice {
  /// Sets the trigger of the device's buffer; false if the driver does not accept it.
  private func setTrigger(_ trigger: IIODevice) -> Bool {
    switch (self, trigger) {
    case (.libiio(let pointer), .libiio(let trigger)):
      Libiio.functions.device_set_trigger(pointer, trigger) == 0
    case (.sysfs, _), (_, .sysfs): write(trigger.name ?? "", to: "trigger/current_trigger") == 0
    }
  }

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
  func setTriggerIfNone(in context: borrowing IIOContext, keeping settings: OwnSettings) {
    guard trigger == nil else { return }
    settings.keeping("trigger/current_trigger") { setTrigger(in: context) }
  }

  private func setTrigger(in context: borrowing IIOContext) {
    let own = "\(name ?? "")-dev\(number)"
    if let trigger = context.device(own), trigger.isTrigger, setTrigger(trigger) { return }
    for trigger in context.devices where trigger.isTrigger && trigger.isDataReady && mayUse(trigger) {
      if setTrigger(trigger) { return }
    }
  }

  /// Whether a trigger belongs to the chip, or to no device, as those of hrtimer.
  ///
  /// Drivers accept the triggers of other devices too. Such a trigger powers its device up and fires at its rate. When its
  /// device is gone, Linux 6.1 uses freed memory to enable the trigger, and a processor hangs (seen with the trigger of a
  /// HID sensor hub).
  private func mayUse(_ trigger: IIODevice) -> Bool {
    guard let path = canonicalPath(directory), let triggerPath = canonicalPath(trigger.directory) else {
      return false
    }
    let parent = parentDirectory(of: triggerPath)
    return parent == parentDirectory(of: path) || parent == "/sys/devices"
  }

  /// Whether a trigger fires for each sample; triggers for motion events fire only when the tablet moves.
  private var isDataReady: Bool {
    strstr(name ?? "", "motion") == nil
  }

  /// Makes the driver stamp samples on CLOCK_BOOTTIME; the kernel's default is the realtime clock, which jumps.
  ///
  /// If the driver refuses, the time stamps show it.
  func setBootTimeClock(keeping settings: OwnSettings) {
    _ = settings.set("current_timestamp_clock", to: "boottime")
  }
}

extension IIOChannel {
  /// How the channel's samples are stored in a scan.
  ///
  /// - Throws: ``SourceError/noBuffer(device:reason:)`` for an invalid format, because the sensor can still be polled.
  func scanFormat() throws(SourceError) -> ScanFormat {
    let text = try scanFormatText()
    do throws(ScanFormat.ParseError) {
      return try ScanFormat(parsing: text)
    } catch {
      throw .noBuffer(device: scanFormatPath, reason: "\"\(text)\": \(error.reason)")
    }
  }
}
