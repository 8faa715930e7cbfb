// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-device.h>
#include <systemd/sd-event.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>

// Every vtable must start with a pointer to this symbol, whose address Swift cannot take as a constant.
static inline const unsigned *orientationd_vtable_format(void) {
  return &sd_bus_object_vtable_format;
}
