/* Threads that the JVM does not know of. */
#include "own_thread.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

enum { STACK_BYTES = 256 << 10 };

bool start_own_thread(const char *name, void *(*run)(void *), void *argument) {
    pthread_attr_t small;
    pthread_t thread;
    sigset_t all, before;
    if (pthread_attr_init(&small) != 0) return false;
    pthread_attr_setstacksize(&small, STACK_BYTES);
    pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool runs = pthread_create(&thread, &small, run, argument) == 0;
    if (runs) pthread_setname_np(thread, name);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&small);
    return runs;
}
