/* Entry point and events. */
#include "agent.h"
#include "binding.h"
#include "hotspot.h"
#include "observers.h"

#include <dlfcn.h>
#include <string.h>

static void enable(jvmtiEvent event, const char *name) {
    failed((*agent.jvmti)->SetEventNotificationMode(agent.jvmti, JVMTI_ENABLE, event, NULL), name);
}

/* Runs before java.lang is initialised (early VMStart): the runtime classes have to exist before the first bytecode
 * does. */
static void JNICALL on_vm_start(jvmtiEnv *jvmti, JNIEnv *env) {
    (void)jvmti;
    if (!define_runtime(env)) disengage("the runtime classes could not be defined");
}

/* Class files pass the environments of agents that retransform in the order in which these were made, and other agents'
 * have been made by now: what they put into classes counts if ours comes behind. Where the JVM refuses, classes come as
 * they did. */
static void listen_last(void) {
    jvmtiEnv *last = NULL;
    jvmtiCapabilities c;
    jvmtiEventCallbacks on;
    if ((*agent.vm)->GetEnv(agent.vm, (void **)&last, JVMTI_VERSION_1_2) != JNI_OK) return;
    memset(&c, 0, sizeof c);
    c.can_generate_all_class_hook_events = 1;
    c.can_retransform_classes = 1;
    memset(&on, 0, sizeof on);
    on.ClassFileLoadHook = on_class_file_load_last;
    if ((*last)->AddCapabilities(last, &c) == JVMTI_ERROR_NONE &&
        (*last)->SetEventCallbacks(last, &on, sizeof on) == JVMTI_ERROR_NONE &&
        (*last)->SetEventNotificationMode(last, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
            NULL) == JVMTI_ERROR_NONE)
        agent.last = true;
}

/* Finds what is asked of the runtime class, and the class of carriers. */
static bool find_classes_of_vm(JNIEnv *env) {
    agent.klass_method = (*env)->GetStaticMethodID(env, agent.runtime, "klass", "(Ljava/lang/Class;J)J");
    if (!agent.klass_method) {
        (*env)->ExceptionClear(env);
        return false;
    }
    if (agent.feature >= 21) {
        jclass carrier = (*env)->FindClass(env, "jdk/internal/misc/CarrierThread");
        if (carrier) agent.carrier = (*env)->NewGlobalRef(env, carrier);
        if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    }
    return true;
}

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *env, jthread main_thread) {
    (void)jvmti;
    if (!agent.engaged) return;
    if (!find_block_field(env)) return disengage("java.lang.Thread could not be changed");
    if (!find_classes_of_vm(env)) return disengage("the runtime classes do not fit this JVM");
    confirm_hotspot(env);
    find_heap(env, main_thread);
    listen_last();
    send_threads(env);
    send_loaded_classes(env);
    enable(JVMTI_EVENT_CLASS_PREPARE, "class-prepare events");
    enable(JVMTI_EVENT_THREAD_END, "thread-end events");
    start_resolving(env);
    start_bytecode_snapshots(env);
    find_class_number(env);
    start_locating(env);
    start_watching_commands(env);
    start_watching_natives(env);
    start_adapting(env);
    start_observers(env);
}

static bool add_capabilities(void) {
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_generate_all_class_hook_events = 1;
    if (!agent.attached) { /* those that there are only while the VM starts, and programs that it starts */
        c.can_generate_early_class_hook_events = 1;
        c.can_generate_early_vmstart = 1;
        c.can_generate_native_method_bind_events = 1; /* methods that start programs, and intern */
    }
    c.can_tag_objects = 1; /* numbers of class loaders */
    c.can_generate_object_free_events = 1; /* loaders that are gone */
    c.can_get_source_file_name = 1;
    c.can_get_bytecodes = 1; /* which version of a class a frame runs */
    c.can_get_line_numbers = 1; /* where hidden classes belong; of frames that are in contexts and not in our code */
    c.can_redefine_classes = agent.attached; /* the runtime classes of an agent before */
    /* now, since compiled code that knows nothing of it is all thrown away the first time */
    c.can_retransform_classes = 1;
    want_virtual_threads(&c);
    add_observers_capabilities(&c);
    return !failed((*agent.jvmti)->AddCapabilities(agent.jvmti, &c), "the capabilities that Mallard needs");
}

static bool set_callbacks(void) {
    jvmtiEventCallbacks on;
    memset(&on, 0, sizeof on);
    on.ClassFileLoadHook = on_class_file_load;
    on.VMStart = on_vm_start;
    on.VMInit = on_vm_init;
    on.VMDeath = on_vm_death;
    on.ClassPrepare = on_class_prepare;
    on.ThreadStart = on_thread_start;
    on.ThreadEnd = on_thread_end;
    on.ObjectFree = on_object_free;
    if (!agent.attached) listen_to_binding(&on);
    add_observers_callbacks(&on);
    return !failed((*agent.jvmti)->SetEventCallbacks(agent.jvmti, &on, sizeof on), "event callbacks");
}

static void listen_to_events(void) {
    enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, "class-file events");
    enable(JVMTI_EVENT_VM_START, "start events");
    enable(JVMTI_EVENT_VM_INIT, "initialisation events");
    enable(JVMTI_EVENT_VM_DEATH, "death events");
    enable(JVMTI_EVENT_THREAD_START, "thread-start events");
    enable(JVMTI_EVENT_OBJECT_FREE, "events of freed objects");
    if (!agent.attached) enable(JVMTI_EVENT_NATIVE_METHOD_BIND, "events of native methods");
}

/* Finds out about the JVM, and has a recorder; false with the agent disengaged. */
static bool stay_out(const char *why) {
    disengage(why);
    return false;
}

static bool meet_recorder(JavaVM *vm, const char *options) {
    agent.vm = vm;
    agent.engaged = true;
    find_stderr();
    if (!dlsym(RTLD_DEFAULT, "gnu_get_libc_version")) /* before anything else that is not the same there */
        return stay_out("this JVM uses another C library, and Mallard needs a JVM that uses glibc");
    if ((*vm)->GetEnv(vm, (void **)&agent.jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return stay_out("this JVM has no tool interface (JVMTI)");
    jint version;
    if (failed((*agent.jvmti)->GetVersionNumber(agent.jvmti, &version), "its version")) return false;
    agent.feature = (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
    if (!find_hotspot(agent.feature)) return stay_out("this JVM is not HotSpot, the VM of OpenJDK, and Mallard needs "
        "that");
    const char *none = connect_recorder(options); /* first, so that it knows of this JVM */
    if (none) return stay_out(none);
    if (makes_archive()) return stay_out("the JVM writes an AOT cache, in which no class may be changed; take "
        "-XX:AOTMode=record and -XX:AOTCacheOutput away");
    if (!agent.attached) use_no_archive();
    int memory_fd = map_memory();
    int events_fd = make_event_memory();
    if (memory_fd < 0 || events_fd < 0) return stay_out("no memory for counters could be mapped");
    return say_hello(options, memory_fd, events_fd) && add_capabilities() && set_callbacks();
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (!options) options = "";
    restore_tool_options(options);
    if (meet_recorder(vm, options)) listen_to_events();
    return JNI_OK; /* always: the program comes first */
}

/* What VMStart and VMInit do in a JVM that starts. */
static bool get_in(JNIEnv *env) {
    jthread self = NULL;
    if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &self) != JVMTI_ERROR_NONE) return false;
    if (!define_runtime(env) || !find_classes_of_vm(env)) return false;
    confirm_hotspot(env);
    find_heap(env, self);
    return attach(env);
}

/* A JVM that runs already. */
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    JNIEnv *env = NULL;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK) return JNI_ERR;
    if (agent.vm || !may_attach(env)) return JNI_EEXIST;
    if (!stay_loaded()) return JNI_ERR;
    agent.attached = true;
    if (meet_recorder(vm, options ? options : "") && !get_in(env))
        disengage("the runtime classes do not fit this JVM");
    return agent.engaged ? JNI_OK : JNI_ERR;
}
