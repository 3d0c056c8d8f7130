/*
 * What a profiler cannot do without that takes the stack of every object from the JVM's own sampler, as
 * async-profiler's object sampler does when its interval is 0: an event for each object, its stack by GetStackTrace,
 * and a table of stacks with their numbers of objects and bytes. It names neither classes nor methods and writes
 * nothing down, which a profiler would do.
 *
 *   java -agentpath:libeveryobject.so ...
 *
 * At the end it says on stderr how many objects and stacks there were.
 */
#include <jvmti.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
  DEEPEST = 2048,   /* frames; async-profiler's default */
  STACKS = 1 << 22, /* a power of two; what finds no place is counted together */
};

/* A stack by its hash; it is never 0. */
static struct {
  _Atomic uint64_t hash, objects, bytes;
} stacks[STACKS];
static _Atomic uint64_t found;

static uint64_t hash_of(const jvmtiFrameInfo *frames, jint count) {
  uint64_t h = (uint64_t)count + 1;
  for (jint i = 0; i < count; i++) {
    h = (h ^ (uint64_t)(uintptr_t)frames[i].method) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 32 ^ (uint64_t)frames[i].location) * 0xc2b2ae3d27d4eb4fu;
  }
  return h | 1;
}

static void count(uint64_t hash, uint64_t bytes) {
  enum { PROBES = 64 };
  uint32_t at = (uint32_t)(hash >> 40);
  for (int n = 0; n < PROBES; n++, at++) {
    uint64_t there = stacks[at & (STACKS - 1)].hash;
    if (there == 0 && atomic_compare_exchange_strong(&stacks[at & (STACKS - 1)].hash, &there, hash)) {
      found++;
      break;
    }
    if (there == hash) break;
  }
  stacks[at & (STACKS - 1)].objects++;
  stacks[at & (STACKS - 1)].bytes += bytes;
}

static void JNICALL on_object(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object, jclass class, jlong size) {
  (void)jni, (void)object, (void)class;
  static _Thread_local jvmtiFrameInfo frames[DEEPEST];
  jint depth = 0;
  if ((*jvmti)->GetStackTrace(jvmti, thread, 0, DEEPEST, frames, &depth) == JVMTI_ERROR_NONE) count(hash_of(frames,
          depth), (uint64_t)size);
}

static void JNICALL on_end(jvmtiEnv *jvmti, JNIEnv *jni) {
  (void)jvmti, (void)jni;
  uint64_t objects = 0;
  for (uint32_t i = 0; i < STACKS; i++) objects += stacks[i].objects;
  fprintf(stderr, "everyobject: %llu objects, %llu stacks\n", (unsigned long long)objects, (unsigned long long)found);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)options, (void)reserved;
  jvmtiEnv *jvmti = NULL;
  if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_generate_sampled_object_alloc_events = 1;
  jvmtiEventCallbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.SampledObjectAlloc = on_object;
  callbacks.VMDeath = on_end;
  const jvmtiEvent events[] = {JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, JVMTI_EVENT_VM_DEATH};
  bool refused = (*jvmti)->AddCapabilities(jvmti, &wanted) || (*jvmti)->SetEventCallbacks(jvmti, &callbacks,
          sizeof callbacks) ||
                 (*jvmti)->SetHeapSamplingInterval(jvmti, 0);
  for (size_t i = 0; i < sizeof events / sizeof *events &&
          !refused; i++) refused = (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL);
  if (refused) {
    fprintf(stderr, "everyobject: the JVM refuses the events\n");
    return JNI_ERR;
  }
  return JNI_OK;
}
