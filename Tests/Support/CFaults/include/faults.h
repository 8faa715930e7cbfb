// SPDX-License-Identifier: Apache-2.0
// umockdev has no driver semantics: a removed device's files can still be read. And no test can break a disk. These stand
// in for the libc calls of the code under test, which is linked into the same executable, and give the errors that a
// driver or a disk would give.
#pragma once

// Makes every later read and pread from this descriptor fail with this errno; 0 ends that.
void faults_set(int descriptor, int error);

// As above, for so many calls of this thread only; of one descriptor at a time.
void faults_set_passing(int descriptor, int error, int times);

// Makes every pread from this descriptor hang until another one is set; -1 for none.
void faults_set_hang(int descriptor);

// Makes every later open of a path that ends so fail with this errno; 0 ends that.
void faults_set_open(const char *suffix, int error);

enum faults_call { FAULTS_OPENAT = 1, FAULTS_READ, FAULTS_WRITE, FAULTS_FSYNC, FAULTS_RENAMEAT, FAULTS_UNLINKAT };

// Makes a call of this thread fail with this errno, once: the one after `skipped` others of its kind.
void faults_fail_call(enum faults_call call, int skipped, int error);

// Makes every fsync in this folder, of any thread, wait until it is released, and counts them from here on; of one folder at
// a time.
void faults_hold_flushes(const char *folder);
void faults_release_flushes(void);

// How many there were, those that wait included.
int faults_flushes(void);
