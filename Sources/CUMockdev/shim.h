// SPDX-License-Identifier: Apache-2.0
// The test bed for kernel devices; only tests link it.
#pragma once
#include <glib-object.h>
#include <umockdev.h>
