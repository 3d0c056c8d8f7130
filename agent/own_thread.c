#include "own_thread.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#include "agent.h"

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

bool make_condition(pthread_cond_t *c) {
    pthread_condattr_t monotonic;
    return pthread_condattr_init(&monotonic) == 0 && pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 &&
           pthread_cond_init(c, &monotonic) == 0;
}

struct timespec timespec_of(moment m) {
    const moment second = 1000000000;
    return (struct timespec){(time_t)(m / second), (long)(m % second)};
}

void start_agent_thread(JNIEnv *env, const char *name, jvmtiStartFunction run) {
    jint count = 0;
    jthreadGroup *groups = NULL;
    jclass class = (*env)->FindClass(env, "java/lang/Thread");
    jmethodID create = class ? (*env)->GetMethodID(env, class, "<init>",
        "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V") : NULL;
    jstring text = (*env)->NewStringUTF(env, name);
    if (create && text && (*agent.jvmti)->GetTopThreadGroups(agent.jvmti, &count, &groups) == JVMTI_ERROR_NONE &&
        count > 0) {
        jthread thread = (*env)->NewObject(env, class, create, groups[0], text);
        if (thread) (*agent.jvmti)->RunAgentThread(agent.jvmti, thread, run, NULL, JVMTI_THREAD_NORM_PRIORITY);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)groups);
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
}
