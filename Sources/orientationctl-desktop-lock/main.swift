// SPDX-License-Identifier: Apache-2.0

// Keeps the rotation lock of GNOME and phosh and that of orientationd equal, while orientationd serves them by iio-sensor-proxy's
// interface. A program of the session: the desktop's lock is in the user's settings. It is GLib's main loop with GDBus and GSettings, whose pages
// these desktops have in memory anyway; on Embedded Swift, as the daemon.

import CGIO
import CLinux
import DesktopLock

/// Keeps them equal until the session ends; returns the exit code if there is nothing to do, or no bus.
func run() -> CInt {
  // Each thread that waits for a bus has a heap of its own otherwise.
  mallopt(M_ARENA_MAX, 1)
  // Other desktops may have the schema, too, and another lock.
  guard isPersonsGNOME(getenv("XDG_CURRENT_DESKTOP")), let setting = DesktopSetting() else { return 0 }
  guard let bus = SystemBus() else { return 1 }
  let locks = EqualLocks(setting, bus)
  locks.start()
  withExtendedLifetime(locks) { g_main_loop_run(g_main_loop_new(nil, 0)) }
  return 0
}

exit(run())
