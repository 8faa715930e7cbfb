// SPDX-License-Identifier: Apache-2.0
#include "embedded_runtime.h"

// In place of the library's: that one returns the object without its tags, although the compiler declares that it returns its argument
// (`returned`, in 6.2.3 and 6.3.1), so the optimizer may leave anything in the register. Code for arm64 uses this register: the
// daemon crashed because the object of a String was 7. Code for amd64 does not.
void *swift_bridgeObjectRetain(void *object) {
  swift_bridgeObjectRetain_n(object, 1);
  return object;
}
