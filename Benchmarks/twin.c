// SPDX-License-Identifier: Apache-2.0
//
// The pipeline of Sources/Orientation in C, as one would write it there, to compare instructions with: mount matrix,
// low-pass filter, hysteresis and settling time, over the samples of HotLoop/main.swift.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double x, y, z; } vector;
enum orientation { unknown, portrait, upside_down, landscape_left, landscape_right, face_up, face_down };

typedef struct {
  vector rows[3];
  double time_constant, threshold, settling;
  bool has_gravity;
  int64_t last;
  vector gravity;
  enum orientation orientation, candidate;
  int64_t candidate_since;
} pipeline;

static double dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static double component(vector g, enum orientation o) {
  switch (o) {
    case portrait: return g.y;
    case upside_down: return -g.y;
    case landscape_left: return g.x;
    case landscape_right: return -g.x;
    case face_up: return g.z;
    case face_down: return -g.z;
    default: return 0;
  }
}

static enum orientation nearest(vector g) {
  double x = fabs(g.x), y = fabs(g.y), z = fabs(g.z);
  if (y >= x && y >= z) return g.y > 0 ? portrait : upside_down;
  if (x >= z) return g.x > 0 ? landscape_left : landscape_right;
  return g.z > 0 ? face_up : face_down;
}

static bool filter(pipeline *p, vector a, int64_t time) {
  double elapsed = (double)(time - p->last) * 1e-9;
  bool goes_on = p->has_gravity && elapsed >= 0 && elapsed <= 1;
  p->last = time;
  p->has_gravity = true;
  if (!goes_on) {
    p->gravity = a;
    return false;
  }
  double weight = elapsed / (p->time_constant + elapsed);
  p->gravity.x += weight * (a.x - p->gravity.x);
  p->gravity.y += weight * (a.y - p->gravity.y);
  p->gravity.z += weight * (a.z - p->gravity.z);
  return true;
}

// Kept out of line, as the Swift pipeline is a call for the loop.
__attribute__((noinline)) bool process(pipeline *p, vector reading, int64_t time) {
  const double g = 9.80665;
  double square = dot(reading, reading);
  if (!(square >= 0.25 * g * g && square <= 4 * g * g)) return false;
  vector a = {dot(p->rows[0], reading), dot(p->rows[1], reading), dot(p->rows[2], reading)};
  if (!filter(p, a, time)) p->candidate = p->orientation;
  enum orientation next = nearest(p->gravity);
  if (next != p->orientation && p->orientation != unknown) {
    double new = component(p->gravity, next), old = component(p->gravity, p->orientation), past = new - old;
    if (!(past > 0 && past * past > p->threshold * (new * new + old * old))) next = p->orientation;
  }
  if (next == p->orientation) {
    p->candidate = p->orientation;
    return false;
  }
  if (p->candidate != next) {
    p->candidate = next;
    p->candidate_since = time;
  }
  if (p->orientation != unknown && (double)(time - p->candidate_since) * 1e-9 < p->settling) return false;
  p->orientation = next;
  return true;
}

static vector reading(int index) {
  double sway = (double)(index % 64) / 64 - 0.5;
  return (index / 512) % 2 == 0 ? (vector){2 * sway, 9, 3 + sway} : (vector){9 + sway, 2 * sway, 3};
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  double sine = sin(10 * M_PI / 180);
  pipeline p = {
      .rows = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .time_constant = 0.1, .threshold = 2 * sine * sine, .settling = 0.15};
  int samples = atoi(arguments[1]), changes = 0;
  for (int index = 0; index < samples; index++) changes += process(&p, reading(index), (int64_t)index * 40000000);
  printf("%d changes\n", changes);
  return 0;
}
