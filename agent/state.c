/* What every part of the agent stands on: its state, and the way out when something fails. */
#include "agent.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

struct agent agent = {.recorder = {.socket = -1}, .control = {.socket = -1}, .wire_lock = PTHREAD_MUTEX_INITIALIZER,
    .state_lock = PTHREAD_MUTEX_INITIALIZER};

static bool silent;

void find_stderr(void) { silent = fcntl(STDERR_FILENO, F_GETFD) < 0; }

void say(const char *format, ...) {
    char line[4096];
    va_list values;
    if (silent) return;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    fprintf(stderr, "mallard: %s\n", line);
}

void disengage(const char *why) {
    if (!atomic_exchange(&agent.engaged, false)) return;
    say("%s; the program runs on without Mallard", why);
    end_calls();
}

bool failed(jvmtiError e, const char *what) {
    if (e == JVMTI_ERROR_NONE) return false;
    char why[160];
    snprintf(why, sizeof why, "the JVM refused %s (JVMTI error %d)", what, (int)e);
    disengage(why);
    return true;
}

/* A JVM may allow fewer (-XX:MaxJNILocalCapacity), which is the most that may be asked for: there are more all the
 * same. */
bool begin_frame(JNIEnv *env) {
    static const jint most[] = {MANY_REFERENCES, 16};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        if ((*env)->PushLocalFrame(env, most[i]) == 0) return true;
        (*env)->ExceptionClear(env);
    }
    return false;
}

void end_frame(JNIEnv *env) { (*env)->PopLocalFrame(env, NULL); }
