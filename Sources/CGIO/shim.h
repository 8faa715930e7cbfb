// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gio/gio.h>
#include <malloc.h>

// From version 2.88 on, GLib says that these are flags, and Swift imports them under other names than before.
static inline GDBusCallFlags bus_call_no_auto_start(void) { return G_DBUS_CALL_FLAGS_NO_AUTO_START; }
