// SPDX-License-Identifier: Apache-2.0
// A minimal service of the system bus, which does only what is needed to be ready. The daemon's start-up is compared with it.

#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

int main(void) {
  sd_bus *bus = NULL;
  if (sd_bus_open_system(&bus) < 0 || sd_bus_request_name(bus, "org.orientationd1", 0) < 0) return 1;
  if (sd_notify(0, "READY=1") <= 0) return 1;
  for (;;) pause();
}
