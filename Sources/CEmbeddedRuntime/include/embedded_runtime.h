// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>

/// Retains the object `count` times: of the library of Embedded Swift.
void *swift_bridgeObjectRetain_n(void *object, uint32_t count);

/// Retains the object, such as the storage of a String with the tags that are in the same word, and returns it with its tags.
void *swift_bridgeObjectRetain(void *object);
