/* Threads of the agent's that call nothing of the JVM's, which does not know of them. */
#ifndef MALLARD_OWN_THREAD_H
#define MALLARD_OWN_THREAD_H

#include <stdbool.h>

/* Starts a thread, in which none of the program's signals come. False: there is none. */
bool start_own_thread(const char *name, void *(*run)(void *), void *argument);

#endif
