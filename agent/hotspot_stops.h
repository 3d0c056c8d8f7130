/* When the JVM stops all threads, by its performance counters. Only hotspot*.c and early.c include this. */
#ifndef MALLARD_HOTSPOT_STOPS_H
#define MALLARD_HOTSPOT_STOPS_H

#include <stdbool.h>
#include <stdint.h>

/* VMInit. False: this JVM does not say. */
bool find_stops(void);

/* In any thread: changes when the world has stopped, before anything is done then. -1: nobody knows. */
int64_t world_stops(void);

/* The world is stopped. */
void world_is_stopped(void);

/* In one thread: whether the world has surely run since this was called. Where stops came one soon behind the other it
 * may take until the next one to be known. */
bool world_runs(void);

#endif
