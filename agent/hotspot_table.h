/* The entries of HotSpot's description of itself that the agent uses, by what they are used for. hotspot.c alone includes this. */
#ifndef MALLARD_HOTSPOT_TABLE_H
#define MALLARD_HOTSPOT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is done with the entries. Each is done whole, or not at all. */
enum hotspot_use { USE_FLAGS, USE_ARGUMENTS, USE_CLASSES, USE_VIRTUAL_METHODS, USE_THREADS, HOTSPOT_USES };

/* What the rows of the table say here: offsets in structures, addresses of static fields, sizes, constants. */
struct hotspot {
    bool found;                          /* the JVM is HotSpot */
    bool newer;                          /* than what the table knows */
    bool on[HOTSPOT_USES];
    const char *missing_type[HOTSPOT_USES], *missing_name[HOTSPOT_USES]; /* the first entry that keeps it off; NULL: none */
    /* ------------------------------------------------------------------ */
    uint64_t flags, flag_count, flag_bytes, flag_name, flag_address; /* JVMFlag */
    uint64_t arguments, argument_count;                              /* options that are no flags have left a trace only here */
    uint64_t klass_offset, layout_helper, instance_klass_bytes;
    uint64_t allocated_bytes, tlab, tlab_start, tlab_top;            /* Thread, ThreadLocalAllocBuffer */
    uint64_t thread_list, list_length, list_threads;                 /* ThreadsSMRSupport, ThreadsList */
};

/* Looks the table up in libjvm. feature is the JDK's: 17, 21, ... */
void read_hotspot(struct hotspot *h, void *library, int feature);

/* How many uses are off, and a sentence that names them for the recording; an empty one if the JVM is as the table has it. */
unsigned describe_hotspot(const struct hotspot *h, int feature, char *text, size_t size);

#endif
