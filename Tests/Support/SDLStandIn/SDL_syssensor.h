/* SPDX-License-Identifier: Apache-2.0 */
/* What a sensor driver and SDL share, as in SDL's header of this name. */
#ifndef SDL_syssensor_h_
#define SDL_syssensor_h_

#include "SDL_internal.h"

typedef enum { SDL_SENSOR_INVALID = -1, SDL_SENSOR_UNKNOWN, SDL_SENSOR_ACCEL, SDL_SENSOR_GYRO } SDL_SensorType;

typedef struct {
    SDL_SensorType type;
    struct sensor_hwdata *hwdata;
} SDL_Sensor;

typedef struct {
    bool (*Init)(void);
    int (*GetCount)(void);
    void (*Detect)(void);
    const char *(*GetDeviceName)(int device_index);
    SDL_SensorType (*GetDeviceType)(int device_index);
    int (*GetDeviceNonPortableType)(int device_index);
    SDL_SensorID (*GetDeviceInstanceID)(int device_index);
    bool (*Open)(SDL_Sensor *sensor, int device_index);
    void (*Update)(SDL_Sensor *sensor);
    void (*Close)(SDL_Sensor *sensor);
    void (*Quit)(void);
} SDL_SensorDriver;

extern SDL_SensorDriver SDL_LINUX_SensorDriver;

void SDL_SendSensorUpdate(Uint64 timestamp, SDL_Sensor *sensor, Uint64 sensor_timestamp, float *data, int num_values);

#endif
