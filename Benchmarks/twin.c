// SPDX-License-Identifier: Apache-2.0
//
// The pipeline of Sources/Orientation in C, as one would write it there, to compare instructions with: mount matrix, filters,
// doubt, evidence, over the samples of HotLoop/main.swift. OrientationClassifier.swift explains the algorithm.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double x, y, z; } vector;
typedef float force __attribute__((vector_size(16)));  // x, y, z, zero; in units of standard gravity
enum orientation { unknown, portrait, upside_down, landscape_left, landscape_right, face_up, face_down };

typedef struct {
  force columns[3];
  float time_constant, memory, sine, need;
  bool is_running;
  int64_t start, last;
  force quick, slow, origin;
  float unrest, way, evidence;
  enum orientation orientation;
} pipeline;

static float squared_length(force f) {
  force squares = f * f;
  return squares[0] + squares[1] + squares[2];
}

static float length(force f) { return sqrtf(squared_length(f)); }

static const force axes[] = {{0}, {0, 1}, {0, -1}, {1}, {-1}, {0, 0, 1}, {0, 0, -1}};

static float component(force f, enum orientation o) {
  force along = f * axes[o];
  return along[0] + along[1] + along[2];
}

static float rival_component(force f, enum orientation o, float own) {
  force sides = f - f * axes[o] * axes[o];
  float x = fabsf(sides[0]), y = fabsf(sides[1]), z = fabsf(sides[2]);
  float most = x > y ? x : y;
  if (z > most) most = z;
  return most > -own ? most : -own;
}

static enum orientation strongest_rival(force f, enum orientation o) {
  enum orientation strongest = unknown;
  for (enum orientation candidate = portrait; candidate <= face_down; candidate++) {
    if (candidate == o) continue;
    if (strongest == unknown || component(f, candidate) > component(f, strongest)) strongest = candidate;
  }
  return strongest;
}

static float excess(float rival, float present, float sine) {
  return (rival - present) * (float)M_SQRT1_2 - sine * sqrtf(rival * rival + present * present);
}

static void filter(pipeline *p, force reading, float magnitude, float elapsed, float time_constant) {
  p->quick += elapsed / (time_constant + elapsed) * (reading - p->quick);
  force move = elapsed / (0.12f + elapsed) * (reading - p->slow);
  p->slow += move;
  float deviation = magnitude - 1, now = squared_length(p->quick - p->slow) + 0.3f * deviation * deviation;
  p->unrest += elapsed / (0.05f + elapsed) * (now - p->unrest);
  float fading = elapsed / ((p->unrest < 0.02f * 0.02f ? 0.2f * p->memory : p->memory) + elapsed);
  p->origin += fading * (p->slow - p->origin);
  p->way += length(move);
  p->way -= fading * p->way;
}

static bool first_report(pipeline *p, force reading, float magnitude, float elapsed) {
  float seconds = (float)((double)(p->last - p->start) * 1e-9);
  filter(p, reading, magnitude, elapsed, fmaxf(p->time_constant, seconds));
  enum orientation nearest = strongest_rival(p->quick, unknown);
  float own = component(p->quick, nearest);
  if (seconds < 0.1f) return false;
  bool is_clear = excess(own, rival_component(p->quick, nearest, own), 0.08715574f) > 0;
  if (!is_clear && seconds < 0.5f) return false;
  p->orientation = nearest;
  return true;
}

static float doubt(const pipeline *p) {
  float to_and_fro = p->way - length(p->slow - p->origin) - 3.5f;
  if (to_and_fro < 0) to_and_fro = 0;
  float factor = 1 + p->unrest * (1 / (0.115f * 0.115f)) * (1 + 16 * to_and_fro);
  return factor < 500 ? factor : 500;
}

// Kept out of line, as the Swift pipeline is a call for the loop.
__attribute__((noinline)) bool process(pipeline *p, vector sample, int64_t time) {
  force reading = p->columns[0] * (float)sample.x + p->columns[1] * (float)sample.y + p->columns[2] * (float)sample.z;
  float magnitude = length(reading);
  if (!(magnitude < 1000)) return false;
  bool is_credible = magnitude >= 0.6f && magnitude <= 1.5f;
  if (magnitude > 3) {
    reading *= 3 / magnitude;
    magnitude = 3;
  }
  int64_t step = time - p->last;
  if (!p->is_running || step < 0 || step > 1000000000) {
    p->quick = p->slow = p->origin = reading;
    p->unrest = p->way = p->evidence = 0;
    p->start = p->last = time;
    p->is_running = true;
    return false;
  }
  p->last = time;
  if (step == 0) return false;
  float elapsed = (float)step * 1e-9f;
  if (p->orientation == unknown) return first_report(p, reading, magnitude, elapsed);
  filter(p, reading, magnitude, elapsed, p->time_constant);
  if (!is_credible) return false;

  float present = component(p->quick, p->orientation), rival = rival_component(p->quick, p->orientation, present);
  if (rival <= present && p->evidence == 0) return false;
  float past = excess(rival, present, p->sine);
  p->evidence += elapsed * (past < 0 ? 4 * past : past) / doubt(p);
  if (p->evidence < 0) p->evidence = 0;
  if (p->evidence < p->need) return false;
  p->orientation = strongest_rival(p->quick, p->orientation);
  p->evidence = 0;
  return true;
}

static vector reading(int index) {
  double sway = (double)(index % 64) / 64 - 0.5;
  return (index / 512) % 2 == 0 ? (vector){2 * sway, 9, 3 + sway} : (vector){9 + sway, 2 * sway, 3};
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  const float unit = 1 / 9.80665f;
  pipeline p = {.columns = {{unit}, {0, unit}, {0, 0, unit}}, .time_constant = 0.03f, .memory = 3.5f,
                .sine = (float)sin(7 * M_PI / 180), .need = 0.015f};
  bool shows_decisions = strcmp(arguments[1], "decisions") == 0;
  int samples = atoi(arguments[2]), changes = 0;
  for (int index = 0; index < samples; index++) {
    if (!process(&p, reading(index), (int64_t)index * 40000000)) continue;
    changes++;
    if (shows_decisions) printf("%d %d\n", index, p.orientation);
  }
  printf("%d changes\n", changes);
  return 0;
}
