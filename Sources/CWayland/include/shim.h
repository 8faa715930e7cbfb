// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdarg.h>
#include <wayland-client.h>
// Made by scripts/wayland-code.
#include "wlr-output-management.h"

// libwayland writes what the compositor says to the standard error, with all characters; the program has messages of its own.
static inline void wayland_drop_message(const char *format, va_list values) {
  (void)format, (void)values;
}
static inline void wayland_drop_messages(void) { wl_log_set_handler_client(wayland_drop_message); }

// libwayland keeps the address of the interface, which Swift cannot take of a constant.
static inline struct zwlr_output_manager_v1 *wayland_bind_output_manager(struct wl_registry *registry, uint32_t name,
                                                                        uint32_t version) {
  return (struct zwlr_output_manager_v1 *)wl_registry_bind(registry, name, &zwlr_output_manager_v1_interface, version);
}
