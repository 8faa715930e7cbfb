/* SPDX-License-Identifier: Apache-2.0 */
/* What the sensor driver in examples/motion/sdl3 uses of SDL, with SDL's names, so that it is tested without SDL's sources. */
#ifndef SDL_internal_h_
#define SDL_internal_h_

#include <endian.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SDL_SENSOR_LINUX 1

typedef uint16_t Uint16;
typedef uint32_t Uint32;
typedef uint64_t Uint64;
typedef Uint32 SDL_SensorID;

#define SDL_COMPILE_TIME_ASSERT(name, condition) _Static_assert(condition, #name)
#define SDL_arraysize(array) (sizeof(array) / sizeof((array)[0]))
#define SDL_zero(value) memset(&(value), 0, sizeof(value))
#define SDL_calloc calloc
#define SDL_free free
#define SDL_strstr strstr
#define SDL_strlcpy(to, from, size) snprintf(to, size, "%s", from)
#define SDL_Swap16LE le16toh
#define SDL_Swap32LE le32toh
#define SDL_Swap64LE le64toh
#define SDL_SwapFloatLE(value) (value)
#define SDL_SetError(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), false)

static inline Uint64 SDL_GetTicksNS(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static inline Uint64 SDL_GetTicks(void) { return SDL_GetTicksNS() / 1000000; }

/* No macro for snprintf, which warns of what does not fit: tests replace the driver's paths by longer ones. */
static inline int SDL_snprintf(char *text, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}

Uint32 SDL_GetNextObjectID(void);

#endif
