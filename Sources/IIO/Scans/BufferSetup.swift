// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux

// What a device needs before its buffer can be enabled: scan formats, a trigger and a clock.

extension IIODevice {
  /// Has a trigger clock the device's buffer; false where the driver does not accept it.
  private func setTrigger(_ trigger: IIODevice) -> Bool {
    switch (self, trigger) {
    case (.libiio(let pointer), .libiio(let trigger)): iio_device_set_trigger(pointer, trigger) == 0
    case (.sysfs, _), (_, .sysfs): write(trigger.name ?? "", to: "trigger/current_trigger") == 0
    }
  }

  /// The device's number N in its id, `iio:deviceN`.
  private var number: Substring {
    Substring(id.utf8.drop { $0 < UInt8(ascii: "0") || $0 > UInt8(ascii: "9") })
  }

  /// Makes sure that something clocks the buffer, where the device needs that.
  ///
  /// A trigger that is set is kept: somebody chose it. Otherwise the device's own data-ready trigger is taken, which
  /// IIO drivers call `<name>-dev<N>`, then another one of the same chip or of no device that current_trigger accepts.
  /// Hardware FIFOs need none and have no current_trigger; enabling the buffer shows whether there is enough.
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

  /// Whether a trigger is the chip's own or, as hrtimer's are, nobody's.
  ///
  /// Drivers accept those of other devices too. Such a one powers its device up and fires at that one's rate; and when its
  /// device has gone, Linux 6.1 uses freed memory to enable it, and a processor hangs (seen with a HID sensor hub's).
  private func mayUse(_ trigger: IIODevice) -> Bool {
    guard let path = canonicalPath(directory), let triggerPath = canonicalPath(trigger.directory) else {
      return false
    }
    let parent = parentDirectory(of: triggerPath)
    return parent == parentDirectory(of: path) || parent == "/sys/devices"
  }

  /// Whether a trigger fires for each sample; those for motion events fire only when the tablet moves.
  private var isDataReady: Bool {
    strstr(name ?? "", "motion") == nil
  }

  /// Makes the driver stamp samples on CLOCK_BOOTTIME; the kernel's default is the realtime clock, which jumps.
  ///
  /// A refusal shows in the stamps.
  func setBootTimeClock(keeping settings: OwnSettings) {
    _ = settings.set("current_timestamp_clock", to: "boottime")
  }
}

extension IIOChannel {
  /// How the channel's samples are stored in a scan.
  ///
  /// - Throws: ``SourceError/noBuffer(device:reason:)`` for a format that makes no sense: the sensor can still be polled.
  func scanFormat() throws(SourceError) -> ScanFormat {
    let text = try scanFormatText()
    do throws(ScanFormat.ParseError) {
      return try ScanFormat(parsing: text)
    } catch {
      throw .noBuffer(device: scanFormatPath, reason: "\"\(text)\": \(error.reason)")
    }
  }
}
