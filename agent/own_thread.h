/* Threads of the agent's, and how threads wait. */
#ifndef MALLARD_OWN_THREAD_H
#define MALLARD_OWN_THREAD_H

#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "channel.h"

/* Starts one that the JVM does not know of, and that calls nothing of the JVM's. None of the program's signals come in
 * it. False: there is none. */
bool start_own_thread(const char *name, void *(*run)(void *), void *argument);

/* Starts one that may call the JVM (JVMTI RunAgentThread), and that the program does not see among its own. Where there
 * is none, nothing happens. */
void start_agent_thread(JNIEnv *env, const char *name, jvmtiStartFunction run);

/* Has waits for a condition, that nobody waits for yet, end by the clock that now() reads: whoever sets the other one
 * would make them longer. */
bool make_condition(pthread_cond_t *c);
struct timespec timespec_of(moment m);

#endif
