// SPDX-License-Identifier: Apache-2.0
//
// The pipeline of Sources/Orientation in C, as one would write it there, to compare instructions with: mount matrix, filters,
// noise, doubt, evidence, second opinion, over the samples of HotLoop/main.swift. OrientationPipeline.swift explains the algorithm.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double x, y, z; } vector;
typedef float force __attribute__((vector_size(16)));  // x, y, z, zero; in units of standard gravity
enum orientation { unknown, portrait, upside_down, landscape_left, landscape_right, face_up, face_down };

// Half a second of samples, summed up.
typedef struct {
  float seconds, count;
  force sum, squares, products, previous, previous_step;
} block_sums;

typedef struct {
  force columns[3];
  float time_constant, memory, sine, need;
  bool is_running;
  int64_t start, last;
  force quick, slow, origin;
  float unrest, way, evidence;
  block_sums block;
  float noise, learned_seconds, moving_seconds, noise_unrest, noise_move;
  force mean;
  float span, slow_evidence;
  enum orientation orientation;
} pipeline;

static float squared_length(force f) {
  force squares = f * f;
  return squares[0] + squares[1] + squares[2];
}

static float total(force f) { return f[0] + f[1] + f[2]; }

static float length(force f) { return sqrtf(squared_length(f)); }

static const force axes[] = {{0}, {0, 1}, {0, -1}, {1}, {-1}, {0, 0, 1}, {0, 0, -1}};
static const force weights = {1, 1, 0.404f};

static float component(force f, enum orientation o) {
  force along = f * (weights * axes[o]);
  return along[0] + along[1] + along[2];
}

static float rival_component(force f, enum orientation o, float own) {
  force sides = f * (weights - weights * axes[o] * axes[o]);
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
  return (rival - present) * (float)M_SQRT1_2 / sqrtf(rival * rival + present * present) - sine;
}

static float weight(float elapsed, float time_constant) { return elapsed / (time_constant + elapsed); }

static void filter(pipeline *p, force reading, float elapsed, float time_constant) {
  p->quick += weight(elapsed, time_constant) * (reading - p->quick);
  force move = weight(elapsed, 0.115f) * (reading - p->slow);
  p->slow += move;
  p->unrest += weight(elapsed, 0.035f) * (squared_length(p->quick - p->slow) - p->unrest);
  bool is_still = p->unrest < 0.02f * 0.02f + p->noise_unrest;
  float fading = weight(elapsed, is_still ? 0.2f * p->memory : p->memory);
  p->origin += fading * (p->slow - p->origin);
  float along = total(move * p->slow);
  float square = squared_length(move) - along * along - p->noise_move;
  p->way += sqrtf(square > 0 ? square : 0);
  p->way -= fading * p->way;
}

// The sum of the evidence, which is never below zero.
static float add_evidence(float found, float past, float clear, float elapsed, float doubt) {
  float weighed = past > clear ? past : past > 0.0053f ? 0.0053f : past > 0 ? past : 4 * past;
  found += elapsed * weighed / doubt;
  return found > 0 ? found : 0;
}

static void learn_noise(pipeline *p) {
  const block_sums *b = &p->block;
  float period = b->seconds / b->count, white = -total(b->products) / b->count;
  float all = total(b->squares) / b->count - squared_length(b->sum / b->count);
  float found = white < all ? white : all;
  if (period > 0.06f || found < 0) found = 0;
  bool is_only_noise = all <= 3 * 0.12f * 0.12f && all <= 1.7f * found;
  if (is_only_noise || found < p->noise) {
    float time = found < p->noise || p->learned_seconds < 1 ? 1 : p->learned_seconds < 4 ? p->learned_seconds : 4;
    p->noise += weight(b->seconds, time) * (found - p->noise);
    p->learned_seconds += b->seconds;
  }
  p->moving_seconds = is_only_noise ? 0 : p->moving_seconds + b->seconds;
  float largest = p->moving_seconds <= 1 + b->seconds / 2 ? 2 * p->noise : 0;
  float quick = weight(period, p->time_constant), slow = weight(period, 0.115f);
  float shared = quick * slow / (quick + slow - quick * slow);
  float motion_gain = quick / (2 - quick) + slow / (2 - slow) - 2 * shared;
  p->noise_unrest = largest * motion_gain;
  p->noise_move = largest * (2 / 3.0f) * 2 * slow * slow / (2 - slow);
}

static void adopt(pipeline *p, force gravity) {
  p->mean = gravity;
  p->span = 1.5f;
  p->slow_evidence = 0;
}

static void reset(block_sums *b) {
  *b = (block_sums){.previous = b->previous, .previous_step = b->previous_step};
}

// Whether the second opinion has changed the orientation.
static bool second_opinion(pipeline *p) {
  const block_sums *b = &p->block;
  p->mean += weight(b->seconds, p->span) * (b->sum / b->count - p->mean);
  p->span = p->span + b->seconds < 1.5f ? p->span + b->seconds : 1.5f;
  float long_mean = length(p->mean);
  if (p->orientation == unknown || long_mean < 0.7f || long_mean > 1.2f) {
    p->slow_evidence = 0;
    return false;
  }
  float present = component(p->mean, p->orientation), rival = rival_component(p->mean, p->orientation, present);
  p->slow_evidence = add_evidence(p->slow_evidence, excess(rival, present, p->sine), 0, b->seconds, 1);
  if (p->slow_evidence < 0.4f) return false;
  p->orientation = strongest_rival(p->mean, p->orientation);
  p->evidence = p->slow_evidence = 0;
  return true;
}

static __attribute__((noinline)) bool complete_block(pipeline *p) {
  learn_noise(p);
  bool has_changed = second_opinion(p);
  reset(&p->block);
  return has_changed;
}

static bool add_to_block(block_sums *b, force reading, float elapsed) {
  force step = reading - b->previous;
  b->previous = reading;
  b->products += step * b->previous_step;
  b->previous_step = step;
  b->sum += reading;
  b->squares += reading * reading;
  b->count++;
  b->seconds += elapsed;
  return b->seconds >= 0.5f;
}

static bool first_report(pipeline *p, force reading, force in_mean, float elapsed) {
  float seconds = (float)((double)(p->last - p->start) * 1e-9);
  filter(p, reading, elapsed, fmaxf(p->time_constant, seconds));
  if (add_to_block(&p->block, in_mean, elapsed)) complete_block(p);
  enum orientation nearest = strongest_rival(p->quick, unknown);
  float own = component(p->quick, nearest);
  if (seconds < 0.1f) return false;
  bool is_clear = excess(own, rival_component(p->quick, nearest, own), 0.08715574f) > 0;
  if (!is_clear && seconds < 0.5f) return false;
  p->orientation = nearest;
  return true;
}

static float doubt(const pipeline *p) {
  float to_and_fro = p->way - length(p->slow - p->origin) - 3.25f;
  if (to_and_fro < 0) to_and_fro = 0;
  float factor = 1 + p->unrest * (1 / (0.075f * 0.075f)) * (1 + 6 * to_and_fro);
  return factor < 500 ? factor : 500;
}

// Kept out of line, as the Swift pipeline is a call for the loop.
__attribute__((noinline)) bool process(pipeline *p, vector sample, int64_t time) {
  force reading = p->columns[0] * (float)sample.x + p->columns[1] * (float)sample.y + p->columns[2] * (float)sample.z;
  float magnitude = length(reading);
  if (!(magnitude < 1000)) return false;
  bool is_credible = magnitude >= 0.6f && magnitude <= 1.5f;
  force in_mean = reading;
  if (magnitude > 3) {
    if (magnitude > 8) in_mean *= 8 / magnitude;
    reading *= 3 / magnitude;
  }
  int64_t step = time - p->last;
  if (!p->is_running || step < 0 || step > 1000000000) {
    p->quick = p->slow = p->origin = reading;
    p->unrest = p->way = p->evidence = 0;
    p->block = (block_sums){.previous = in_mean};
    p->span = p->slow_evidence = 0;
    p->start = p->last = time;
    p->is_running = true;
    return false;
  }
  p->last = time;
  if (step == 0) return false;
  float elapsed = (float)step * 1e-9f;
  if (p->orientation == unknown) return first_report(p, reading, in_mean, elapsed);
  filter(p, reading, elapsed, p->time_constant);
  if (add_to_block(&p->block, in_mean, elapsed) && complete_block(p)) return true;
  if (!is_credible) return false;

  float present = component(p->quick, p->orientation), rival = rival_component(p->quick, p->orientation, present);
  if (rival <= present && p->evidence == 0) return false;
  float clear = p->orientation >= face_up ? 0 : 0.11f;
  p->evidence = add_evidence(p->evidence, excess(rival, present, p->sine), clear, elapsed, doubt(p));
  if (p->evidence < p->need) return false;
  p->orientation = strongest_rival(p->quick, p->orientation);
  reset(&p->block);
  adopt(p, p->quick);
  p->evidence = 0;
  return true;
}

static vector reading(int index) {
  int part = index % 512;
  double sway = (double)(index % 64) / 64 - 0.5, hiss = (double)(index * 29 % 64) / 64 - 0.5;
  vector gravity = {2 * sway, 9, 3 + sway};
  if ((index / 512) % 2 == 1) gravity = (vector){9 + sway, 2 * sway, 3};
  if (index >= 512 && part < 100) gravity.z += index % 3 == 0 ? 30 : -15;
  if (part == 200) gravity.z += 100;
  if (part >= 300) {
    gravity.x += hiss;
    gravity.y -= hiss;
  }
  return gravity;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  const float unit = 1 / 9.80665f;
  pipeline p = {.columns = {{unit}, {0, unit}, {0, 0, unit}}, .time_constant = 0.03f, .memory = 3.5f,
                .sine = (float)sin(7 * M_PI / 180), .need = 0.016f};
  bool shows_decisions = strcmp(arguments[1], "decisions") == 0;
  int samples = atoi(arguments[2]), changes = 0;
  // Computed in advance, as that is not part of the cost of a sample.
  static vector readings[1024];
  for (int index = 0; index < 1024; index++) readings[index] = reading(index);
  for (int index = 0; index < samples; index++) {
    if (!process(&p, readings[index & 1023], (int64_t)index * 40000000)) continue;
    changes++;
    if (shows_decisions) printf("%d %d\n", index, p.orientation);
  }
  printf("%d changes\n", changes);
  return 0;
}
