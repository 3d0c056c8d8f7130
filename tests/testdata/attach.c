/* The native half of Attach.java. It never looks at exceptions, as careless programs do. */
#include <jni.h>
#include <pthread.h>

enum { MAX_THREADS = 64 };

static struct {
    JavaVM *vm;
    jclass callee;
    jmethodID called;
    int rounds;
} work;

static void *run(void *unused) {
    for (int i = 0; i < work.rounds; i++) {
        JNIEnv *env;
        JavaVMAttachArgs named = {JNI_VERSION_10, "a thread of native code", NULL};
        if ((*work.vm)->AttachCurrentThread(work.vm, (void **)&env, i % 2 ? &named : NULL) != JNI_OK) break;
        (*env)->CallStaticVoidMethod(env, work.callee, work.called);
        (*work.vm)->DetachCurrentThread(work.vm);
    }
    return unused;
}

JNIEXPORT void JNICALL Java_Attach_attach(JNIEnv *env, jclass c, jint threads, jint rounds) {
    pthread_t t[MAX_THREADS];
    (*env)->GetJavaVM(env, &work.vm);
    work.callee = (*env)->NewGlobalRef(env, c);
    work.called = (*env)->GetStaticMethodID(env, c, "called", "()V");
    work.rounds = rounds;
    for (int i = 0; i < threads && i < MAX_THREADS; i++) pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < threads && i < MAX_THREADS; i++) pthread_join(t[i], NULL);
}
