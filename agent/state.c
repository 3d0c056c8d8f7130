/* What every part of the agent stands on: its state, and the way out when something fails. */
#include "agent.h"

#include <stdio.h>

struct agent agent = {.recorder = {.socket = -1}, .control = {.socket = -1}, .wire_lock = PTHREAD_MUTEX_INITIALIZER,
    .state_lock = PTHREAD_MUTEX_INITIALIZER};

void disengage(const char *why) {
    if (!atomic_exchange(&agent.engaged, false)) return;
    fprintf(stderr, "mallard: %s; the program runs on without Mallard\n", why);
    end_calls();
}

bool failed(jvmtiError e, const char *what) {
    if (e == JVMTI_ERROR_NONE) return false;
    char why[160];
    snprintf(why, sizeof why, "the JVM refused %s (JVMTI error %d)", what, (int)e);
    disengage(why);
    return true;
}
