// SPDX-License-Identifier: Apache-2.0
#include "mock_card.h"
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Requests, and where the kernel has the members of their structures: uapi/drm/drm.h and drm_mode.h.
enum { drop_master = 0x641f };
#define GET_RESOURCES 0xc04064a0ul
#define GET_CONNECTOR 0xc05064a7ul
#define GET_PROPERTY 0xc04064aaul

static uint32_t number(const char *structure, size_t offset) {
  uint32_t value;
  memcpy(&value, structure + offset, sizeof value);
  return value;
}

static void set(char *structure, size_t offset, uint32_t value) { memcpy(structure + offset, &value, sizeof value); }

static void *place(const char *structure, size_t offset) {
  uint64_t address;
  memcpy(&address, structure + offset, sizeof address);
  return (void *)(uintptr_t)address;
}

static int fail(int code) {
  errno = code;
  return -1;
}

static int resources(const struct card *card, char *structure) {
  uint32_t *connectors = place(structure, 16);
  uint32_t room = number(structure, 40);
  for (uint32_t index = 0; index < card->count && index < room; index++) connectors[index] = card->connectors[index].id;
  // Two controllers, and an encoder for each connector.
  set(structure, 32, 0), set(structure, 36, 2), set(structure, 40, card->count), set(structure, 44, card->count);
  return 0;
}

// Every connector has the properties 1 and 2; those of panels have 7, too.
static int connector(const struct card *card, char *structure) {
  const struct connector *found = NULL;
  for (uint32_t index = 0; index < card->count; index++)
    if (card->connectors[index].id == number(structure, 48)) found = &card->connectors[index];
  if (!found) return fail(ENOENT);
  if (number(structure, 32) == 0) return fail(EBUSY);
  const uint32_t ids[] = {1, 2, 7};
  const uint64_t values[] = {3, 1, (uint64_t)found->orientation};
  uint32_t count = found->orientation == -1 ? 2 : 3, room = number(structure, 36);
  if (room >= count) {
    memcpy(place(structure, 16), ids, count * sizeof *ids);
    memcpy(place(structure, 24), values, count * sizeof *values);
  }
  // A card has more modes than there is room for.
  set(structure, 32, 12), set(structure, 36, count), set(structure, 40, 1);
  set(structure, 52, found->kind), set(structure, 56, found->number);
  return 0;
}

static int property(char *structure) {
  const char *name;
  switch (number(structure, 16)) {
  case 1: name = "EDID"; break;
  case 2: name = "DPMS"; break;
  case 7: name = "panel orientation"; break;
  default: return fail(ENOENT);
  }
  strncpy(structure + 24, name, 32);
  return 0;
}

int card_answer(struct card *card, unsigned long request, void *argument) {
  if (request == drop_master) return card->is_master_dropped = 1, 0;
  if (!card->is_master_dropped) return fail(EBUSY);
  switch (request) {
  case GET_RESOURCES: return resources(card, argument);
  case GET_CONNECTOR: return connector(card, argument);
  case GET_PROPERTY: return property(argument);
  default: return fail(ENOTTY);
  }
}
