/* What the agent knows of HotSpot beyond JVMTI and JNI: nothing else in the agent does. Found in Agent_OnLoad, before any event; later only read, so
 * no lock is taken and any thread may call, in the phase that is said. */
#ifndef MALLARD_HOTSPOT_H
#define MALLARD_HOTSPOT_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* OnLoad. False where the JVM is not HotSpot. */
bool find_hotspot(int feature);

/* VMInit. Checks what can be checked where the JVM is newer than those that are known, and reports as a loss what the agent has to do without. */
void confirm_hotspot(JNIEnv *env);

/* OnLoad and later. The name of the collector; empty where it is not known. */
const char *collector(void);

/* OnLoad. Whether the JVM was told, in its arguments or by the environment, not to start without its archive of classes (CDS, the AOT cache). With
 * the early hook it has none. */
bool archive_demanded(void);

/* VMStart and later: offsets that the runtime classes read classes by. All are 0 where that has to be left alone. */
struct klass_layout {
    uint32_t pointer;         /* to the Klass, in a class mirror */
    uint32_t layout_helper;   /* in a Klass */
    uint32_t virtual_methods; /* in a Klass; 0: only this is not known */
};
struct klass_layout klass_layout(void);

/* VMInit and later, from Java threads. The aligned size of an instance; 0: none, or not known. */
uint32_t instance_bytes(JNIEnv *env, jclass c);

/* What the VM says its threads allocated (Thread::cooked_allocated_bytes), in bytes; 0 where that is not known. Unused ends of buffers are not in it. */
void find_vm_thread(JNIEnv *env, jclass thread);      /* once java.lang.Thread is there */
uint64_t allocated_at_start(void);                    /* VMStart: by the only Java thread, which is the caller */
uint64_t allocated_by(JNIEnv *env, jthread t);        /* a platform thread that cannot end meanwhile: the caller, or a suspended one */

#endif
