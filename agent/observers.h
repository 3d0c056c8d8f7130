/* Observers of the agent's that stand by themselves: what JVMTI's events tell them goes into event rings, and nothing
 * else in the agent knows of them. Each is a file and one line in observers.c. */
#ifndef MALLARD_OBSERVERS_H
#define MALLARD_OBSERVERS_H

#include <jvmti.h>
#include <stdint.h>

#include "events.h"

/* It is on if the recorder wants one of its kinds of events. */
struct observer {
    uint64_t events;         /* the kinds that it makes, a bit each */
    void (*start)(JNIEnv *env); /* VMInit */
    /* The world has stopped for a collection, or is about to run again: in the thread that stops it, one after the
     * other. Nothing of the JVM's is called. */
    void (*stopped)(void);
    void (*resuming)(void);
    void (*stop)(void);      /* VMDeath, before the last snapshot: nothing that it makes later is recorded */
};

/* OnLoad: a file for the memory of rings, which the recorder lays out; negative without. open_events maps it
 * afterwards. */
int make_event_memory(void);
struct hello_answer;
void open_events(int fd, const struct hello_answer *hello);

/* OnLoad, once the recorder has said what it wants. */
void add_observers_capabilities(jvmtiCapabilities *c);
void add_observers_callbacks(jvmtiEventCallbacks *on);

/* VMInit, VMDeath. */
void start_observers(JNIEnv *env);
void stop_observers(void);

/* For what is learnt in callbacks while the world is stopped: one at a time, so it has one producer. */
extern struct event_ring safepoint_ring;

/* Whether the recorder wants a kind of events. */
bool wants_event(uint32_t kind);

/* How the recorder wants copies to be looked for. */
struct replica_options {
    uint64_t pause; /* nanoseconds for each; 0: no limit */
    uint32_t depth; /* 0: references are compared by identity */
    bool sampled;   /* objects are, and are watched */
    bool values;    /* contents of some of these are recorded */
    const char *classes; /* patterns for classes whose objects are hashed, without an end */
    size_t classes_length; /* 0: all are */
};
extern struct replica_options replica_options;

/* Nanoseconds between two times at which references are followed; 0: at the JVM's end only. */
extern uint64_t references_every;

/* Nanoseconds since the recording began, in any callback. */
uint64_t recorded_time(void);

#endif
