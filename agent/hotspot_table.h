/* The entries of HotSpot's description of itself that the agent uses, by what they are used for. Only hotspot*.c
 * include this. */
#ifndef MALLARD_HOTSPOT_TABLE_H
#define MALLARD_HOTSPOT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is done with the entries. Each is done whole, or not at all. */
enum hotspot_use {
    USE_FLAGS,
    USE_CLASSES,
    USE_VIRTUAL_METHODS,
    USE_CLASS_OBJECTS,
    USE_THREADS,
    USE_COUNTERS,
    USE_COLLECTION_ID,
    USE_SERIAL, /* heaps, only one of which a JVM has */
    USE_PARALLEL,
    USE_G1,
    USE_ZGC,
    USE_SHENANDOAH,
    USE_OBJECTS,     /* in the heap */
    USE_OBJECTS_G1,
    USE_THREAD_STATES,
    USE_REFERENCES,  /* of objects in the heap */
    USE_LOADERS,     /* of classes of objects in the heap */
    USE_PARAMETERS,  /* of methods */
    HOTSPOT_USES
};

/* What the rows of the table say here: offsets in structures, addresses of static fields, sizes, constants. */
struct hotspot {
    bool found;                          /* the JVM is HotSpot */
    bool newer;                          /* than what the table knows */
    bool on[HOTSPOT_USES];
    /* the first entry that keeps it off; NULL: none */
    const char *missing_type[HOTSPOT_USES], *missing_name[HOTSPOT_USES];
    /* ------------------------------------------------------------------ */
    uint64_t flags, flag_count, flag_bytes, flag_name, flag_address; /* JVMFlag */
    uint64_t klass_offset, layout_helper, instance_klass_bytes;
    uint64_t loaders, next_loader, klasses;                          /* ClassLoaderDataGraph, ClassLoaderData */
    uint64_t next_klass, mirror, mirror_words;                       /* Klass */
    uint64_t static_words, constants, handle_object;                 /* InstanceKlass, OopHandle */
    uint64_t constant_cache, constant_tags, resolved_references, reference_map; /* ConstantPool, ConstantPoolCache */
    uint64_t vm_array_length, bytes, shorts;                         /* Array */
    uint64_t narrow_base, narrow_shift;                              /* CompressedOops */
    uint64_t allocated_bytes, tlab, tlab_start, tlab_top;            /* Thread, ThreadLocalAllocBuffer */
    uint64_t thread_list, list_length, list_threads;                 /* ThreadsSMRSupport, ThreadsList */
    uint64_t thread_state, state_in_vm, state_in_java;               /* JavaThread, JavaThreadState */
    uint64_t counters, counters_ready, first_counter, counter_count; /* PerfMemory, PerfDataPrologue */
    uint64_t counter_bytes, counter_name, counter_value;             /* PerfDataEntry */
    uint64_t processed_thread;                                       /* NamedThread */
    uint64_t heap;                                                   /* Universe */
    /* GenCollectedHeap, SerialHeap */
    uint64_t young, old, eden, survivor, to_space, old_space, space_bottom, space_top, space_end;
    uint64_t young_address, old_address, ps_eden, ps_survivor, ps_to_space, ps_old_space;
    uint64_t mutable_bottom, mutable_top, mutable_end;
    uint64_t retired_bytes, region_manager, region_table, region_list, region_count; /* G1CollectedHeap */
    uint64_t region_bias, region_shift;                                              /* G1HeapRegionTable */
    uint64_t region_bottom, region_top, region_type, region_tag, old_mask;
    uint64_t zheap, page_allocator, page_used;                                       /* ZCollectedHeap */
    uint64_t partitions, partition_list, partition_count, partition_used;
    uint64_t shenandoah_used, generation;                                            /* ShenandoahHeap */
    uint64_t klass_base, klass_shift, klass_name;                    /* CompressedKlassPointers, Klass */
    uint64_t symbol_length, symbol_text;                             /* Symbol */
    uint64_t tlab_end, tlab_desired, tlab_prefetch;                  /* ThreadLocalAllocBuffer */
    uint64_t total_collections, monitor_header, monitor_object;      /* CollectedHeap, ObjectMonitor */
    uint64_t hash_shift;                                             /* markWord */
    uint64_t free_tag, eden_tag, survivor_tag, humongous_tag, continued_tag, humongous_mask; /* G1's regions */
    uint64_t super, virtual_count, interface_words, map_words, array_klass; /* Klass, InstanceKlass, java_lang_Class */
    uint64_t static_references, fields, field_count, field_stream, constant_pool_bytes;
    uint64_t class_loader_data;                                      /* Klass */
    uint64_t const_method, const_flags, const_words;                 /* Method, ConstMethod */
    uint64_t has_parameters, has_signature, has_annotations[4];
};

/* A value of HotSpot's at an address that the table, or a structure of the VM's, has given. */
#define AT(type, address) (*(const type *)(const void *)(uintptr_t)(address))

/* What find_hotspot has found. */
const struct hotspot *hotspot_entries(void);

/* hotspot.c, OnLoad and later. Where the value of a flag of the VM's is; 0 where there is no such flag. */
uintptr_t flag(const char *name);
bool flag_set(const char *name);
/* Of one that is a number, which has 8 bytes on older JDKs, and 4 on newer ones; `otherwise`: there is no such flag. */
double flag_number(const char *name, double otherwise);

/* hotspot.c, any phase. Reads memory that may not be there. */
bool read_if_mapped(uintptr_t from, void *to, size_t n);

/* hotspot_classes.c, VMInit and later. What arrays take. */
struct array_layout;
const struct array_layout *array_layout(void);

/* hotspot_heap.c, VMInit and later. The VM's structure for its heap, and G1's regions: a list with gaps. */
uintptr_t collected_heap(void);
struct regions {
    const uintptr_t *list;
    size_t count;
};
struct regions g1_regions(void);
uintptr_t region_table(void); /* of G1's */
bool is_old_region(uintptr_t region);

/* Looks the table up in libjvm. feature is the JDK's: 17, 21, ... */
void read_hotspot(struct hotspot *h, void *library, int feature);

/* How many uses are off that a JVM with this collector has, and a sentence that names them for the recording; an empty
 * one if the JVM is as the table has it. */
unsigned describe_hotspot(const struct hotspot *h, int feature, const char *collector, char *text, size_t size);

#endif
