/* Threads of the agent's. */
#ifndef MALLARD_OWN_THREAD_H
#define MALLARD_OWN_THREAD_H

#include <jvmti.h>
#include <stdbool.h>

/* Starts one that the JVM does not know of, and that calls nothing of the JVM's. None of the program's signals come in
 * it. False: there is none. */
bool start_own_thread(const char *name, void *(*run)(void *), void *argument);

/* Starts one that may call the JVM (JVMTI RunAgentThread), and that the program does not see among its own. Where there
 * is none, nothing happens. */
void start_agent_thread(JNIEnv *env, const char *name, jvmtiStartFunction run);

#endif
