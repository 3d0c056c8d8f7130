/* Writes what is in the heap when the VM ends, dead objects included, into the file that is its option: for each class
 * its signature, how many objects of it there are, and their bytes. With a collector that collects nothing (Epsilon)
 * that is all that was ever made, buffers' ends apart. */
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct amount {
    jlong objects, bytes;
};

static char *file;
static struct amount *made; /* by a class's tag, which is its index + 1 */

static jint JNICALL each(jlong class_tag, jlong size, jlong *tag, jint length, void *data) {
    (void)tag;
    (void)length;
    (void)data;
    made[class_tag].objects++;
    made[class_tag].bytes += size;
    return 0;
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *env) {
    jint count = 0;
    jclass *classes = NULL;
    jvmtiHeapCallbacks callbacks;
    (*env)->EnsureLocalCapacity(env, 1 << 16);
    if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE) return;
    made = calloc((size_t)count + 1, sizeof *made);
    for (jint i = 0; i < count; i++) (*jvmti)->SetTag(jvmti, classes[i], i + 1);
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_iteration_callback = each;
    (*jvmti)->IterateThroughHeap(jvmti, 0, NULL, &callbacks, NULL);
    FILE *out = fopen(file, "w");
    for (jint i = 0; out && i < count; i++) {
        char *signature = NULL;
        if (made[i + 1].objects == 0) continue;
        (*jvmti)->GetClassSignature(jvmti, classes[i], &signature, NULL);
        fprintf(out, "%s %lld %lld\n", signature, (long long)made[i + 1].objects, (long long)made[i + 1].bytes);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    }
    if (out) fclose(out);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiEnv *jvmti = NULL;
    jvmtiCapabilities c;
    jvmtiEventCallbacks on;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
    memset(&c, 0, sizeof c);
    c.can_tag_objects = 1;
    (*jvmti)->AddCapabilities(jvmti, &c);
    memset(&on, 0, sizeof on);
    on.VMDeath = on_vm_death;
    (*jvmti)->SetEventCallbacks(jvmti, &on, sizeof on);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
    file = strdup(options);
    return JNI_OK;
}
