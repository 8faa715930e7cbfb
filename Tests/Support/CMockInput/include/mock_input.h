// SPDX-License-Identifier: Apache-2.0
// Input devices for tests: a FIFO stands for the device node and carries its events, and this ioctl stands in for
// libc's, as umockdev knows no EVIOCSMASK. It answers for such FIFOs only.
#pragma once
#include <linux/input.h>

// Makes a device node. Returns a descriptor that writes its events, to be closed by the caller, or -1 with errno.
int mock_input_create(const char *path);

// Moves the switches, a bit each, without an event.
void mock_input_set_switches(const char *path, unsigned long positions);

// Sets the value, the range and the resolution of ABS_X (0), ABS_Y (1) or ABS_Z (2).
void mock_input_set_axis(const char *path, unsigned axis, const struct input_absinfo *info);

// Makes every later ioctl on the device fail with this errno; 0 ends that.
void mock_input_fail(const char *path, int error);

// The word that holds this code, of the mask set last for a type of events; all bits are set where none was.
unsigned long mock_input_mask(const char *path, unsigned type, unsigned code);

// Has a device made like an input device be a graphics card instead: one more connector, with the kernel's numbers for its kind and for the
// value of its property "panel orientation"; without one for -1. The card answers only a program that has given mastership back, and that
// does not have it look for screens.
void mock_card_add(const char *path, unsigned connector, unsigned kind, unsigned number, long long orientation);
