// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gio/gio.h>
#include <malloc.h>
