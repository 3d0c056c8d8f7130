/* A class of the user's that is called at snapshots (mallard.Snapshots). The recorder takes them when it is asked for
 * the next. */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

static jmethodID method_of(JNIEnv *env, const char *class, const char *name, const char *descriptor, bool of_class) {
    jclass c = (*env)->FindClass(env, class);
    if (!c) return NULL;
    return of_class ? (*env)->GetStaticMethodID(env, c, name, descriptor) : (*env)->GetMethodID(env, c, name,
        descriptor);
}

/* An instance of the class that the system class loader has by this name; NULL with an exception pending. */
static jobject instance_of(JNIEnv *env, const char *name) {
    jmethodID system = method_of(env, "java/lang/ClassLoader", "getSystemClassLoader", "()Ljava/lang/ClassLoader;",
        true);
    jmethodID find = system ? method_of(env, "java/lang/Class", "forName",
        "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;", true) : NULL;
    jobject loader = find ? (*env)->CallStaticObjectMethod(env, (*env)->FindClass(env, "java/lang/ClassLoader"),
        system) : NULL;
    jstring text = loader ? (*env)->NewStringUTF(env, name) : NULL;
    jclass class = text ? (*env)->CallStaticObjectMethod(env, (*env)->FindClass(env, "java/lang/Class"), find, text,
        JNI_TRUE, loader) : NULL;
    if (!class || (*env)->ExceptionCheck(env)) return NULL;
    jmethodID create = (*env)->GetMethodID(env, class, "<init>", "()V");
    return create ? (*env)->NewObject(env, class, create) : NULL;
}

/* Takes the pending exception away, and says what it says of itself. */
static void put_exception(JNIEnv *env, struct message *m) {
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    jmethodID describe = thrown ? method_of(env, "java/lang/Throwable", "toString", "()Ljava/lang/String;",
        false) : NULL;
    jstring text = describe ? (*env)->CallObjectMethod(env, thrown, describe) : NULL;
    const char *utf = text && !(*env)->ExceptionCheck(env) ? (*env)->GetStringUTFChars(env, text, NULL) : NULL;
    put_next_snapshot(m, &(struct next_snapshot_fields){.failure = utf ? utf : "it threw something that does not say "
        "what it is"});
    if (utf) (*env)->ReleaseStringUTFChars(env, text, utf);
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
}

/* Waits for the next snapshot and what there is to say of it. next is when the class wants it. */
static bool next_snapshot(JNIEnv *env, struct message *m, jlong next, struct metrics_answer *metrics) {
    if (agent.bytecode_snapshots) return wait_for_bytecodes(env, next, metrics);
    unsigned char *answer = NULL;
    uint32_t size;
    put_next_snapshot(m, &(struct next_snapshot_fields){.next = (uint64_t)next});
    if (!exchange_control(ABI_NEXT_SNAPSHOT, m, &answer, &size)) return false;
    bool whole = get_metrics(&(struct bytes){answer, size}, metrics);
    (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    return whole;
}

/* Calls at each snapshot, until something is thrown. */
static void call_with_snapshots(JNIEnv *env, jobject object, struct message *m) {
    jclass class = (*env)->GetObjectClass(env, object);
    jmethodID snapshot = (*env)->GetMethodID(env, class, "snapshot", "(JJJJ)J");
    struct metrics_answer now;
    for (jlong next = 0; snapshot && next >= 0 && next_snapshot(env, m, next, &now);) {
        next = (*env)->CallLongMethod(env, object, snapshot, (jlong)now.nanoseconds, (jlong)now.objects,
            (jlong)now.bytes, (jlong)now.bytecodes);
        if ((*env)->ExceptionCheck(env)) return;
    }
}

void JNICALL call_back(jvmtiEnv *jvmti, JNIEnv *env, void *unused) {
    (void)unused;
    struct message m = {0};
    unsigned char *name = NULL;
    uint32_t size;
    begin_calls(env);
    if (!exchange_control(ABI_CALLBACK_CLASS, &m, &name, &size)) return end_calls();
    char *terminated = name ? strndup((const char *)name, size) : NULL;
    jobject object = terminated ? instance_of(env, terminated) : NULL;
    free(terminated);
    (*jvmti)->Deallocate(jvmti, name);
    if (object) call_with_snapshots(env, object, &m);
    end_calls();
    if ((*env)->ExceptionCheck(env)) {
        put_exception(env, &m);
        unsigned char *nothing = NULL;
        if (exchange_control(ABI_NEXT_SNAPSHOT, &m, &nothing, &size)) (*jvmti)->Deallocate(jvmti, nothing);
    }
}
