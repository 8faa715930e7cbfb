// SPDX-License-Identifier: Apache-2.0
//
// libiio brings two dozen libraries with it, whose relocated pages stay in memory. So it is not linked but loaded while it is
// needed; Devices/Libiio.swift in IIO decides when.
// The events of a device are read from a descriptor of their own, which libiio does not give.
#pragma once
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <iio.h>
#include <linux/iio/events.h>
#include <sys/ioctl.h>
#include <unistd.h>

// The functions that are used, without their prefix iio_.
#define LIBIIO_FUNCTIONS(FUNCTION)      \
  FUNCTION(channel_attr_get_filename)   \
  FUNCTION(channel_attr_read)           \
  FUNCTION(channel_attr_write)          \
  FUNCTION(channel_get_attr)            \
  FUNCTION(channel_get_attrs_count)     \
  FUNCTION(channel_get_id)              \
  FUNCTION(channel_get_name)            \
  FUNCTION(channel_is_output)           \
  FUNCTION(channel_is_scan_element)     \
  FUNCTION(context_destroy)             \
  FUNCTION(context_find_device)         \
  FUNCTION(context_get_device)          \
  FUNCTION(context_get_devices_count)   \
  FUNCTION(context_set_timeout)         \
  FUNCTION(create_context_from_uri)     \
  FUNCTION(create_local_context)        \
  FUNCTION(device_attr_read)            \
  FUNCTION(device_attr_write)           \
  FUNCTION(device_get_attr)             \
  FUNCTION(device_get_attrs_count)      \
  FUNCTION(device_get_channel)          \
  FUNCTION(device_get_channels_count)   \
  FUNCTION(device_get_id)               \
  FUNCTION(device_get_label)            \
  FUNCTION(device_get_name)             \
  FUNCTION(device_is_trigger)

struct libiio_functions {
#define LIBIIO_MEMBER(name) __typeof__(iio_##name) *_Nonnull name;
  LIBIIO_FUNCTIONS(LIBIIO_MEMBER)
#undef LIBIIO_MEMBER
};

// Loads a library with the interface of libiio, and finds its functions. Returns its handle, or NULL; then dlerror(3) says why.
static inline void *_Nullable libiio_load(const char *_Nonnull name, struct libiio_functions *_Nonnull functions) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!library) return NULL;
  void *found;
// A library without one of the functions stays loaded, because dlclose(3) would replace the reason.
#define LIBIIO_FIND(name)                           \
  if (!(found = dlsym(library, "iio_" #name))) return NULL; \
  functions->name = (__typeof__(functions->name))found;
  LIBIIO_FUNCTIONS(LIBIIO_FIND)
#undef LIBIIO_FIND
  return library;
}

// The descriptor from which the events of the device with this open node are read, without waits; negative if there is none, or
// another program has it.
static inline int iio_event_descriptor(int node) {
  int descriptor = -1;
  if (ioctl(node, IIO_GET_EVENT_FD_IOCTL, &descriptor) < 0 || descriptor < 0) return -1;
  if (fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0) return descriptor;
  close(descriptor);
  return -1;
}
