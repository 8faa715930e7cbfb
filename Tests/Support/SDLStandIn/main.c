/* SPDX-License-Identifier: Apache-2.0 */
/* Opens all sensors of the driver, as SDL's testsensor does, and prints each update until it is killed. */

#include "SDL_syssensor.h"

#include <unistd.h>

static SDL_SensorDriver *const driver = &SDL_LINUX_SensorDriver;

Uint32 SDL_GetNextObjectID(void) {
    static Uint32 id;
    return ++id;
}

void SDL_SendSensorUpdate(Uint64 timestamp, SDL_Sensor *sensor, Uint64 sensor_timestamp, float *data, int num_values) {
    if (timestamp == 0 || num_values != 3) abort();
    printf("%s %.2f %.2f %.2f at %llu\n", sensor->type == SDL_SENSOR_ACCEL ? "accelerometer" : "gyroscope", data[0], data[1],
        data[2], (unsigned long long)sensor_timestamp);
}

int main(void) {
    SDL_Sensor sensors[2] = {{0}};
    int opened = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!driver->Init()) return 1;
    for (int index = 0; index < driver->GetCount(); index++) {
        sensors[opened].type = driver->GetDeviceType(index);
        printf("%s, id %u\n", driver->GetDeviceName(index), driver->GetDeviceInstanceID(index));
        if (driver->Open(&sensors[opened], index)) opened++;
    }
    printf("%d of %d opened\n", opened, driver->GetCount());
    while (opened > 0) {
        for (int index = 0; index < opened; index++) driver->Update(&sensors[index]);
        driver->Detect();
        usleep(5000);
    }
    driver->Quit();
    return 0;
}
