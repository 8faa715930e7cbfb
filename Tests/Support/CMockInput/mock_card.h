// SPDX-License-Identifier: Apache-2.0
// A graphics card for tests, by the kernel's uapi/drm/drm_mode.h.
#pragma once

enum { card_connectors = 100 };

struct connector {
  unsigned id, kind, number;
  long long orientation;
};

struct card {
  int is_master_dropped;
  unsigned count;
  struct connector connectors[card_connectors];
};

int card_answer(struct card *card, unsigned long request, void *argument);
