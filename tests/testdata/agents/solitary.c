/* An agent that takes what HotSpot gives to one agent only, and uses it. Options: what it takes, a colon, and the class
 * that it looks at. When the VM ends it prints what it saw. It does not start without what it takes, as a debugger's
 * agent. */
#include <jvmti.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char takes[32], class_signature[128];
static atomic_int breakpoints, writes, samples, stopped, classes;

static int takes_all(const char *what) { return strcmp(takes, what) == 0 || strcmp(takes, "all") == 0; }

static void must(jvmtiError e, const char *what) {
    if (e == JVMTI_ERROR_NONE) return;
    printf("solitary: %s: JVMTI error %d\n", what, (int)e);
    exit(1);
}

/* Breaks at the start of main, and watches the class's fields. */
static void JNICALL on_class_prepare(jvmtiEnv *jvmti, JNIEnv *env, jthread t, jclass class) {
    (void)t;
    char *signature;
    must((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL), "signature");
    int looked_at = strcmp(signature, class_signature) == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    if (!looked_at) return;
    if (takes_all("breakpoints")) {
        jmethodID m = (*env)->GetStaticMethodID(env, class, "main", "([Ljava/lang/String;)V");
        must((*jvmti)->SetBreakpoint(jvmti, m, 0), "breakpoint");
    }
    jint count;
    jfieldID *fields;
    if (!takes_all("fields")) return;
    must((*jvmti)->GetClassFields(jvmti, class, &count, &fields), "fields");
    for (jint i = 0; i < count; i++) {
        must((*jvmti)->SetFieldModificationWatch(jvmti, class, fields[i]), "watch");
        must((*jvmti)->SetFieldAccessWatch(jvmti, class, fields[i]), "access watch");
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)fields);
}

static void JNICALL on_breakpoint(jvmtiEnv *jvmti, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    (void)jvmti, (void)env, (void)t, (void)m, (void)at;
    breakpoints++;
}

static void JNICALL on_write(jvmtiEnv *jvmti, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass of, jobject o,
    jfieldID f, char type, jvalue v) {
    (void)jvmti, (void)env, (void)t, (void)m, (void)at, (void)of, (void)o, (void)f, (void)type, (void)v;
    writes++;
}

static void JNICALL on_sample(jvmtiEnv *jvmti, JNIEnv *env, jthread t, jobject o, jclass class, jlong size) {
    (void)jvmti, (void)env, (void)t, (void)o, (void)class, (void)size;
    samples++;
}

static void JNICALL on_class_file(jvmtiEnv *jvmti, JNIEnv *env, jclass old, jobject loader, const char *name,
    jobject domain, jint size, const unsigned char *b, jint *new_size, unsigned char **new_bytes) {
    (void)jvmti, (void)env, (void)old, (void)loader, (void)name, (void)domain, (void)size, (void)b, (void)new_size,
        (void)new_bytes;
    classes++;
}

/* Stops all other threads and lets them go. */
static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *env, jthread self) {
    jint count;
    jthread *all;
    must((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL), "events");
    if (!takes_all("suspend")) return;
    must((*jvmti)->GetAllThreads(jvmti, &count, &all), "threads");
    for (jint i = 0; i < count; i++) {
        if ((*env)->IsSameObject(env, all[i], self) || (*jvmti)->SuspendThread(jvmti, all[i]) != JVMTI_ERROR_NONE)
            continue;
        must((*jvmti)->ResumeThread(jvmti, all[i]), "resume");
        stopped++;
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)all);
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *env) {
    (void)jvmti, (void)env;
    printf("solitary: breakpoints %d, writes %d, samples %d, stopped %d, classes %d\n", breakpoints, writes,
        samples > 0, stopped > 0, classes > 0);
    fflush(stdout);
}

static void take(jvmtiEnv *jvmti) {
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    if (takes_all("all")) must((*jvmti)->GetPotentialCapabilities(jvmti, &c), "what there is");
    if (takes_all("breakpoints")) c.can_generate_breakpoint_events = 1;
    if (takes_all("fields")) c.can_generate_field_modification_events = c.can_generate_field_access_events = 1;
    if (takes_all("samples")) c.can_generate_sampled_object_alloc_events = 1;
    if (takes_all("suspend")) c.can_suspend = 1;
    if (takes_all("early"))
        c.can_generate_all_class_hook_events = c.can_generate_early_class_hook_events = c.can_generate_early_vmstart =
            1;
    must((*jvmti)->AddCapabilities(jvmti, &c), "capabilities");
    if (takes_all("samples")) must((*jvmti)->SetHeapSamplingInterval(jvmti, 0), "sampling interval");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    jvmtiEnv *jvmti;
    jvmtiEventCallbacks on;
    static const struct { const char *what; jvmtiEvent event; } events[] = {
        {"breakpoints", JVMTI_EVENT_BREAKPOINT}, {"fields", JVMTI_EVENT_FIELD_MODIFICATION},
        {"samples", JVMTI_EVENT_SAMPLED_OBJECT_ALLOC}, {"early", JVMTI_EVENT_CLASS_FILE_LOAD_HOOK}};
    if (!options || sscanf(options, "%31[^:]:%100s", takes, class_signature + 1) != 2) return JNI_ERR;
    class_signature[0] = 'L';
    strcat(class_signature, ";");
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
    take(jvmti);
    memset(&on, 0, sizeof on);
    on.VMInit = on_vm_init;
    on.VMDeath = on_vm_death;
    on.ClassPrepare = on_class_prepare;
    on.Breakpoint = on_breakpoint;
    on.FieldModification = on_write;
    on.SampledObjectAlloc = on_sample;
    on.ClassFileLoadHook = on_class_file;
    must((*jvmti)->SetEventCallbacks(jvmti, &on, sizeof on), "callbacks");
    must((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL), "start");
    must((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL), "end");
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (takes_all(events[i].what))
            must((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i].event, NULL), events[i].what);
    return JNI_OK;
}
