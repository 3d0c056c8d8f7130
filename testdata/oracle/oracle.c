/*
 * The oracle: an agent that says what a Java program allocates, slowly and by other means than the product.
 *
 * It asks the JVM for a SampledObjectAlloc event at interval 0, that is, for every object put on the heap, and counts.
 * It rewrites no class and shares no code with Mallard, so agreement of the two is evidence.
 *
 *   java -Xint -agentpath:liboracle.so=[classes=FILE][,sites=FILE | ,newsites=FILE][,stacks=FILE | ,allstacks=FILE] ...
 *
 * classes: lines  CLASS <TAB> OBJECTS <TAB> BYTES, sorted. CLASS is what Class.getName prints; a name that several
 * loaders define
 *          has a line for each.
 * sites:   lines  CLASS <TAB> DECLARING CLASS <TAB> METHOD <TAB> DESCRIPTOR <TAB> BCI <TAB> LINE <TAB> INSTRUCTION
 * <TAB> CALLED
 *          <TAB> MAKER <TAB> OBJECTS <TAB> BYTES <TAB> ELEMENTS, sorted. The place is the innermost Java frame and the bytecode it stands at. LINE is -1 where the class file
 *          does not say. INSTRUCTION is new, anewarray, multianewarray, `newarray int` and so on, invokedynamic, ldc (a constant), raising (it allocates nothing, and
 *          may throw: elements of arrays, division, monitors, athrow), or other. Where the
 *          innermost frame is the JDK's, the object has another line, at the innermost frame that is not: there CALLED is the
 *          method (Class.name) that this one called, and MAKER the innermost one; on other lines both are empty. The JVM itself allocates
 *          too (the name it passes to a class loader, for one): at `new Foo` a String may appear beside the Foo, the first time.
 *
 * stacks:  a line  hidden <TAB> OBJECTS <TAB> BYTES, what was made in frames of hidden classes and in none; then lines
 * frame <TAB> CALLER <TAB>
 *          CLASS.METHOD:LINE, numbered from 1, where CALLER is the number of an earlier one and 0 for a thread's first frame, LINE as above and -2
 *          of a native method; then lines  stack <TAB> FRAME <TAB> CLASS <TAB> INSTRUCTION <TAB> OBJECTS <TAB> BYTES, one for each class that was made
 *          in a frame with all its callers. Frames of hidden classes are left out.
 *          Only objects made by the program's own code (the innermost frame is not the JDK's) are here; with allstacks= in place of stacks=, all.
 *          With newsites= in place of sites=, all tables have only what threads make that start after VMInit.
 *
 * Counting starts before main runs: at VMInit the main thread allocates garbage until the sampling point that was
 * chosen under the default interval is surely behind it, and collects; from then on each object is reported. Threads
 * that started before VMInit (Finalizer, Common-Cleaner) may miss their first objects. The tables are written at
 * VMDeath; a killed JVM leaves none.
 */
#include "oracle.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum {
  GARBAGE_ARRAYS = 64,
  GARBAGE_BYTES = 1 << 20, /* each; 64 MB in all lie past any sampling point of the default interval of 512 KB */
};

struct oracle oracle;

/* Whether this thread started under the oracle's eyes, so that nothing that it makes is missed; and whether it is the
 * one that made the VM, whose ThreadStart comes behind VMInit, and again when it destroys the VM. */
static __thread bool is_new, is_main;

void give_up(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("oracle: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  oracle.counting = false;
  oracle.classes_path[0] = oracle.sites_path[0] = oracle.stacks_path[0] = '\0';
}

bool ok(jvmtiError error, const char *call) {
  if (error == JVMTI_ERROR_NONE) return true;
  give_up("%s failed: JVMTI error %d", call, (int)error);
  return false;
}

bool frames_of(jthread thread, jint room, jvmtiFrameInfo *frames, jint *count) {
  jvmtiError error = (*oracle.jvmti)->GetStackTrace(oracle.jvmti, thread, 0, room, frames, count);
  if (thread == NULL && error == JVMTI_ERROR_INVALID_THREAD) {
    *count = 0;
    return true;
  }
  return ok(error, "GetStackTrace");
}

void deallocate(void *memory) {
  (*oracle.jvmti)->Deallocate(oracle.jvmti, memory);
}

/* class_index finds or enters a class; UINT32_MAX after giving up. The lock is held. */
static uint32_t class_index(jclass klass) {
  jvmtiEnv *jvmti = oracle.jvmti;
  jlong tag = 0;
  if (!ok((*jvmti)->GetTag(jvmti, klass, &tag), "GetTag")) return UINT32_MAX;
  if (tag != 0) return (uint32_t)(tag - 1);

  if (oracle.class_count == oracle.class_capacity) {
    uint32_t capacity = oracle.class_capacity == 0 ? INITIAL_CAPACITY : 2 * oracle.class_capacity;
    Class *grown = realloc(oracle.classes, capacity * sizeof *grown);
    if (grown == NULL) {
      give_up("out of memory");
      return UINT32_MAX;
    }
    oracle.classes = grown;
    oracle.class_capacity = capacity;
  }
  char *signature = NULL;
  if (!ok((*jvmti)->GetClassSignature(jvmti, klass, &signature, NULL), "GetClassSignature")) return UINT32_MAX;
  char *name = class_name(signature);
  deallocate(signature);
  if (name == NULL) {
    give_up("out of memory");
    return UINT32_MAX;
  }
  uint32_t index = oracle.class_count++;
  oracle.classes[index] = (Class){.name = name};
  if (!ok((*jvmti)->SetTag(jvmti, klass, (jlong)index + 1), "SetTag")) return UINT32_MAX;
  return index;
}

static void JNICALL on_allocation(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object, jclass klass,
        jlong size) {
  if (oracle.new_threads && !is_new) return;
  if ((*jvmti)->RawMonitorEnter(jvmti, oracle.lock) != JVMTI_ERROR_NONE) return;
  if (oracle.counting) {
    uint32_t index = class_index(klass);
    if (index != UINT32_MAX) {
      oracle.classes[index].objects++;
      oracle.classes[index].bytes += (uint64_t)size;
      jint elements = oracle.classes[index].name[0] == '[' ? (*jni)->GetArrayLength(jni, object) : 0;
      if (oracle.sites_path[0] != '\0') count_site(thread, index, size, elements);
      if (oracle.stacks_path[0] != '\0') count_stack(thread, index, size);
    }
  }
  (*jvmti)->RawMonitorExit(jvmti, oracle.lock);
}

static void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
  (void)jvmti, (void)jni, (void)thread;
  is_new = oracle.counting && !is_main;
}

static void JNICALL on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
  (void)thread;
  is_main = true;
  if (!ok((*jvmti)->SetHeapSamplingInterval(jvmti, 0), "SetHeapSamplingInterval")) return;
  if (!ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL),
          "SetEventNotificationMode"))
    return;
  for (int i = 0; i < GARBAGE_ARRAYS; i++) {
    jbyteArray garbage = (*jni)->NewByteArray(jni, GARBAGE_BYTES);
    if (garbage == NULL) {
      (*jni)->ExceptionClear(jni);
      give_up("the heap is too small for %d bytes of garbage", GARBAGE_BYTES);
      return;
    }
    (*jni)->DeleteLocalRef(jni, garbage);
  }
  if (!ok((*jvmti)->ForceGarbageCollection(jvmti), "ForceGarbageCollection")) return;
  if (!ok((*jvmti)->RawMonitorEnter(jvmti, oracle.lock), "RawMonitorEnter")) return;
  oracle.counting = true;
  (*jvmti)->RawMonitorExit(jvmti, oracle.lock);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const Class *)a)->name, ((const Class *)b)->name);
}

FILE *open_table(const char *path) {
  FILE *file = fopen(path, "w");
  if (file == NULL) give_up("cannot write %s", path);
  return file;
}

void close_table(FILE *file, const char *path) {
  bool failed = ferror(file) != 0;
  if (fclose(file) != 0 || failed) {
    fprintf(stderr, "oracle: cannot write %s\n", path);
    remove(path);
  }
}

/* The table is sorted in place, after which tags no longer fit. */
static void write_classes(void) {
  FILE *file = open_table(oracle.classes_path);
  if (file == NULL) return;
  qsort(oracle.classes, oracle.class_count, sizeof *oracle.classes, by_name);
  for (uint32_t i = 0; i < oracle.class_count; i++) {
    Class *class = &oracle.classes[i];
    fprintf(file, "%s\t%llu\t%llu\n", class->name, (unsigned long long)class->objects,
            (unsigned long long)class->bytes);
  }
  close_table(file, oracle.classes_path);
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *jni) {
  (void)jni;
  if ((*jvmti)->RawMonitorEnter(jvmti, oracle.lock) != JVMTI_ERROR_NONE) return;
  oracle.counting = false;
  if (oracle.sites_path[0] != '\0') write_sites();
  if (oracle.stacks_path[0] != '\0') write_stacks();
  if (oracle.classes_path[0] != '\0') write_classes();
  (*jvmti)->RawMonitorExit(jvmti, oracle.lock);
}

/* parse_options reads "classes=FILE,sites=FILE,stacks=FILE" or "allstacks=FILE"; a FILE has no comma. */
static bool parse_options(const char *options) {
  while (options != NULL && *options != '\0') {
    const char *end = strchr(options, ',');
    int length = end != NULL ? (int)(end - options) : (int)strlen(options);
    const char *value = memchr(options, '=', (size_t)length);
    char *path = NULL;
    if (value != NULL && strncmp(options, "classes=", 8) == 0) path = oracle.classes_path;
    if (value != NULL && strncmp(options, "sites=", 6) == 0) path = oracle.sites_path;
    if (value != NULL && strncmp(options, "stacks=", 7) == 0) path = oracle.stacks_path;
    if (value != NULL && strncmp(options, "allstacks=", 10) == 0) {
      path = oracle.stacks_path;
      oracle.all_stacks = true;
    }
    if (value != NULL && strncmp(options, "newsites=", 9) == 0) {
      path = oracle.sites_path;
      oracle.new_threads = true;
    }
    if (path == NULL) return false;
    int value_length = length - (int)(value + 1 - options);
    if (value_length >= PATH_LIMIT) return false;
    snprintf(path, PATH_LIMIT, "%.*s", value_length, value + 1);
    options = end != NULL ? end + 1 : NULL;
  }
  return oracle.classes_path[0] != '\0' || oracle.sites_path[0] != '\0' || oracle.stacks_path[0] != '\0';
}

EXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)reserved;
  if (!parse_options(options)) {
    fputs("oracle: usage: -agentpath:liboracle.so=[classes=FILE][,sites=FILE | ,newsites=FILE][,stacks=FILE | ,allstacks=FILE]\n",
            stderr);
    return JNI_ERR;
  }
  jvmtiEnv *jvmti = NULL;
  if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
  oracle.jvmti = jvmti;

  jvmtiCapabilities potential = {0}, wanted = {0};
  if (!ok((*jvmti)->GetPotentialCapabilities(jvmti, &potential), "GetPotentialCapabilities")) return JNI_ERR;
  wanted.can_generate_sampled_object_alloc_events = 1;
  wanted.can_tag_objects = 1;
  wanted.can_get_line_numbers = 1;
  wanted.can_get_bytecodes = 1;
#ifdef JNI_VERSION_21
  wanted.can_support_virtual_threads = potential.can_support_virtual_threads;
#endif
  jvmtiEventCallbacks callbacks = {
      .VMInit = on_init,
      .VMDeath = on_death,
      .SampledObjectAlloc = on_allocation,
      .ThreadStart = on_thread_start,
  };
  if (!ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities") ||
      !ok((*jvmti)->CreateRawMonitor(jvmti, "oracle", &oracle.lock), "CreateRawMonitor") ||
      !ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks") ||
      !ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL),
              "SetEventNotificationMode") ||
      (oracle.new_threads && !ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START,
              NULL), "SetEventNotificationMode")) ||
      !ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL),
              "SetEventNotificationMode"))
    return JNI_ERR;
  return JNI_OK;
}
