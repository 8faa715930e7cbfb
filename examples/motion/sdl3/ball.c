/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ball that rolls to the edge of the window that is down. It needs SDL 3 with the patch in this folder, or any system with
 * an accelerometer for which SDL has a driver.
 *
 * cc -Wall -o ball ball.c $(pkg-config --cflags --libs sdl3)
 */

#include <SDL3/SDL.h>
#include <SDL3/SDL_main.h>

#define WIDTH 240
#define HEIGHT 320
#define RADIUS 20.0f
#define PIXELS_PER_METRE 400.0f
#define BOUNCE 0.4f

struct ball {
    float x, y, speed_x, speed_y;
};

/* The axes of the sensor are those of the natural orientation: turns them to those of the display as it is now. */
static void turn_to_display(float *x, float *y) {
    static const int quarters[] = {
        [SDL_ORIENTATION_PORTRAIT] = 0, [SDL_ORIENTATION_LANDSCAPE] = 1,
        [SDL_ORIENTATION_PORTRAIT_FLIPPED] = 2, [SDL_ORIENTATION_LANDSCAPE_FLIPPED] = 3,
    };
    SDL_DisplayID display = SDL_GetPrimaryDisplay();
    int turns = quarters[SDL_GetCurrentDisplayOrientation(display)] - quarters[SDL_GetNaturalDisplayOrientation(display)];
    for (turns &= 3; turns > 0; turns--) {
        float right = -*y;
        *y = *x;
        *x = right;
    }
}

static void roll(float *place, float *speed, float acceleration, float seconds, float length) {
    *speed += acceleration * PIXELS_PER_METRE * seconds;
    *speed *= 1 - seconds; /* friction */
    *place += *speed * seconds;
    if (*place < RADIUS || *place > length - RADIUS) {
        *place = SDL_clamp(*place, RADIUS, length - RADIUS);
        *speed *= -BOUNCE;
    }
}

static void draw(SDL_Renderer *renderer, const struct ball *ball, const float *force) {
    SDL_SetRenderDrawColor(renderer, 250, 246, 235, 255);
    SDL_RenderClear(renderer);
    SDL_SetRenderDrawColor(renderer, 200, 60, 50, 255);
    for (float row = -RADIUS; row <= RADIUS; row++) {
        float half = SDL_sqrtf(RADIUS * RADIUS - row * row);
        SDL_RenderLine(renderer, ball->x - half, ball->y + row, ball->x + half, ball->y + row);
    }
    SDL_SetRenderDrawColor(renderer, 60, 60, 60, 255);
    SDL_RenderDebugTextFormat(renderer, 8, 8, "%5.1f %5.1f %5.1f m/s^2", force[0], force[1], force[2]);
    SDL_RenderPresent(renderer);
}

static SDL_Sensor *open_accelerometer(void) {
    SDL_Sensor *accelerometer = NULL;
    SDL_SensorID *sensors = SDL_GetSensors(NULL);
    for (int i = 0; sensors && sensors[i] && !accelerometer; i++) {
        if (SDL_GetSensorTypeForID(sensors[i]) == SDL_SENSOR_ACCEL) accelerometer = SDL_OpenSensor(sensors[i]);
    }
    SDL_free(sensors);
    return accelerometer;
}

int main(int argc, char **argv) {
    struct ball ball = {WIDTH / 2, HEIGHT / 2, 0, 0};
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Sensor *accelerometer;
    if (!SDL_Init(SDL_INIT_VIDEO | SDL_INIT_SENSOR) ||
        !SDL_CreateWindowAndRenderer("Ball", WIDTH, HEIGHT, 0, &window, &renderer) || !(accelerometer = open_accelerometer())) {
        SDL_Log("ball: %s", *SDL_GetError() ? SDL_GetError() : "there is no accelerometer");
        return 1;
    }
    for (Uint64 last = SDL_GetTicksNS();;) {
        float force[3] = {0};
        SDL_Event event;
        while (SDL_PollEvent(&event)) {
            if (event.type == SDL_EVENT_QUIT) return SDL_Quit(), 0;
        }
        SDL_GetSensorData(accelerometer, force, 3);
        turn_to_display(&force[0], &force[1]);
        Uint64 now = SDL_GetTicksNS();
        float seconds = SDL_min((now - last) / 1e9f, 0.05f);
        last = now;
        /* The force holds the device up, so the ball rolls against it. On the screen, y is down. */
        roll(&ball.x, &ball.speed_x, -force[0], seconds, WIDTH);
        roll(&ball.y, &ball.speed_y, force[1], seconds, HEIGHT);
        draw(renderer, &ball, force);
        SDL_Delay(15);
    }
}
