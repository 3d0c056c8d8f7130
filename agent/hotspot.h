/* What the agent knows of HotSpot beyond JVMTI and JNI: nothing else in the agent does. Found in Agent_OnLoad, before
 * any event; later only read, so no lock is taken and any thread may call, in the phase that is said. */
#ifndef MALLARD_HOTSPOT_H
#define MALLARD_HOTSPOT_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* OnLoad. False where the JVM is not HotSpot. */
bool find_hotspot(int feature);

/* VMInit. Checks what can be checked where the JVM is newer than those that are known, and reports as a loss what the
 * agent has to do without. */
void confirm_hotspot(JNIEnv *env);

/* OnLoad and later. The name of the collector; empty where it is not known. */
const char *collector(void);

/* OnLoad. Whether the JVM is to write an AOT cache of the classes that it loads: with the early hook it crashes. */
bool makes_archive(void);

/* OnLoad. Has the JVM start without its archive of classes (CDS, the AOT cache), which with the early hook it has no
 * use for: it would say so on stdout where the archive was named, and not start where it was demanded. */
void use_no_archive(void);

/* VMStart and later: offsets that the runtime classes read classes by. All are 0 where that has to be left alone. */
struct klass_layout {
    uint32_t pointer;         /* to the Klass, in a class mirror */
    uint32_t layout_helper;   /* in a Klass */
    uint32_t virtual_methods; /* in a Klass; 0: only this is not known */
};
struct klass_layout klass_layout(void);

/* VMInit and later, from Java threads. The VM's structure for a class; 0: there is none, or it is not known. */
uintptr_t klass_of_class(JNIEnv *env, jclass c);
/* The aligned size of an instance; 0: none, or not known. */
uint32_t bytes_of_instance(uintptr_t klass);
uint32_t instance_bytes(JNIEnv *env, jclass c);

/* What the VM has made of one kind: how many, elements in all where they are arrays, and bytes. */
struct made_objects {
    uint64_t objects, elements, bytes;
};

/* hotspot_classes.c: what there is in the heap that the VM has made for the classes that are loaded. */
struct made_strings {
    struct made_objects strings, texts; /* String, and their byte[] */
};
struct class_objects {
    struct made_objects mirrors;   /* java.lang.Class */
    struct made_objects locks;     /* int[], of classes to be initialised */
    struct made_objects tables;    /* Object[], of what constants stand for */
    struct made_strings constants; /* those of them that instructions have asked for, or static fields have */
    struct made_strings names;     /* of classes, where they were asked for */
};
struct array_layout;
void find_class_objects(const struct array_layout *layout); /* VMStart */
/* VMStart, and at the end, while no thread runs. False where that is not known. */
bool class_objects(struct class_objects *to);

/* What the VM says its threads allocated (Thread::cooked_allocated_bytes), in bytes; 0 where that is not known. Unused
 * ends of buffers are not in it. */
void find_vm_thread(JNIEnv *env, jclass thread);      /* once java.lang.Thread is there */
uint64_t allocated_at_start(void);                    /* VMStart: by the only Java thread, which is the caller */
/* a platform thread that cannot end meanwhile: the caller, or a suspended one */
uint64_t allocated_by(JNIEnv *env, jthread t);

/* VMInit and later. The VM's own structure for a platform thread; 0 where that is not known, or gone. */
uintptr_t vm_thread(JNIEnv *env, jthread t);

/* hotspot_heap.c, VMInit: gets ready what follows. */
void find_heap(JNIEnv *env, jthread self);

/* While the world is stopped, from the thread that stops it. No lock, no call of the VM's. */
uint64_t heap_used(void);       /* bytes, as the VM's log has them; 0 where that is not known */
uint64_t old_generation_used(void); /* the same of Parallel's old generation; 0 with others */
/* the number in the VM's log of what is being collected; UINT32_MAX: none, or not known */
uint32_t collection_id(void);
/* Notes which regions of G1's are old. The second says how many of them have been given back since. */
void note_old_regions(void);
uint32_t old_regions_freed(void);

/* Bytes used in Serial's and Parallel's young generation, and memory that they have in the old one without asking for
 * more. */
struct generations {
    uint64_t eden, survivors, old_free;
};
struct generations serial_generations(void);
struct generations parallel_generations(void);

/* In a pause. Whether there is memory left for metadata of classes: G1 then does without a full collection for it. */
bool metadata_has_room(void);

/* Of one of the VM's performance counters, 8 bytes or a string; NULL if there is no such one, or the VM keeps none
 * (-UsePerfData). To be asked for once, from VMInit on. */
const void *performance_counter(const char *name);
bool counters_switched_off(void); /* -UsePerfData */

#endif
