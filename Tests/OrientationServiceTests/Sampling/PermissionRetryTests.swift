// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import OrientationService

private func time(_ seconds: Double) -> BootTime { BootTime(nanoseconds: 0).advanced(bySeconds: seconds) }

@Suite("How long a permission is waited for")
struct PermissionRetryTests {
  /// At which of the attempts, a quarter of a second apart, it is given up.
  private func attempts(whileUdevIsBusyAt isBusy: (Int) -> Bool) -> Int {
    var patience = PermissionRetry()
    var count = 0
    while patience.shouldRetry(isUdevBusy: isBusy(count), at: time(Double(count) * PermissionRetry.pause)) {
      count += 1
    }
    return count
  }

  @Test("an idle udev has it tried once more: it may not have begun")
  func idle() {
    #expect(attempts { _ in false } == 1)
  }

  @Test("a busy udev is waited for, and once it is done it is tried once more")
  func busy() {
    #expect(attempts { $0 < 8 } == 9)
  }

  @Test("a udev that is busy for ever is waited for 10 s")
  func forEver() {
    #expect(attempts { _ in true } == 40)
  }
}
