/* The one table of what the agent knows of HotSpot, and how it is looked up: libjvm exports descriptions of its fields,
 * types and constants for the serviceability agent (vmStructs.hpp). */
#include "hotspot_table.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The newest JDK that Mallard was tested with. Tests lower it. */
#ifndef HOTSPOT_NEWEST
#define HOTSPOT_NEWEST 25
#endif

/* An entry that tests keep from being found. */
#ifndef HOTSPOT_WITHHELD
#define HOTSPOT_WITHHELD ""
#endif

enum kind {
    OFFSET,  /* of a field in its structure */
    ADDRESS, /* of a static field */
    SIZE,    /* of a type */
    CONSTANT, /* an int; its name is the row's type */
    LONG_CONSTANT
};

struct row {
    enum hotspot_use use;
    enum kind kind;
    /* the field's own type has to be the one that it was seen with; NULL: any. Sizes have neither */
    const char *type, *field, *declared;
    int first, last;                     /* JDKs that have it so */
    /* in struct hotspot. Rows with the same are each other's alternatives, where an entry was renamed */
    size_t to;
};

/* JDK 17 and 25 were run. That those between have the same rows was inferred from that. */
enum { FIRST = 17, LAST = HOTSPOT_NEWEST > FIRST ? HOTSPOT_NEWEST : FIRST };

#define TO(member) offsetof(struct hotspot, member)
static const struct row rows[] = {
    {USE_FLAGS, ADDRESS, "JVMFlag", "flags", "JVMFlag*", FIRST, LAST, TO(flags)},
    {USE_FLAGS, ADDRESS, "JVMFlag", "numFlags", "size_t", FIRST, LAST, TO(flag_count)},
    {USE_FLAGS, OFFSET, "JVMFlag", "_name", "const char*", FIRST, LAST, TO(flag_name)},
    {USE_FLAGS, OFFSET, "JVMFlag", "_addr", NULL, FIRST, LAST, TO(flag_address)},
    {USE_FLAGS, SIZE, "JVMFlag", NULL, NULL, FIRST, LAST, TO(flag_bytes)},

    {USE_CLASSES, ADDRESS, "java_lang_Class", "_klass_offset", "int", FIRST, LAST, TO(klass_offset)},
    {USE_CLASSES, OFFSET, "Klass", "_layout_helper", "jint", FIRST, LAST, TO(layout_helper)},

    {USE_VIRTUAL_METHODS, SIZE, "InstanceKlass", NULL, NULL, FIRST, LAST, TO(instance_klass_bytes)},

    {USE_CLASS_OBJECTS, ADDRESS, "ClassLoaderDataGraph", "_head", "ClassLoaderData*", FIRST, LAST, TO(loaders)},
    {USE_CLASS_OBJECTS, OFFSET, "ClassLoaderData", "_next", "ClassLoaderData*", FIRST, LAST, TO(next_loader)},
    {USE_CLASS_OBJECTS, OFFSET, "ClassLoaderData", "_klasses", "Klass*", FIRST, LAST, TO(klasses)},
    {USE_CLASS_OBJECTS, OFFSET, "Klass", "_next_link", "Klass*", FIRST, LAST, TO(next_klass)},
    {USE_CLASS_OBJECTS, OFFSET, "Klass", "_java_mirror", "OopHandle", FIRST, LAST, TO(mirror)},
    {USE_CLASS_OBJECTS, ADDRESS, "java_lang_Class", "_oop_size_offset", "int", FIRST, LAST, TO(mirror_words)},
    {USE_CLASS_OBJECTS, OFFSET, "InstanceKlass", "_static_field_size", "int", FIRST, LAST, TO(static_words)},
    {USE_CLASS_OBJECTS, OFFSET, "InstanceKlass", "_constants", "ConstantPool*", FIRST, LAST, TO(constants)},
    {USE_CLASS_OBJECTS, OFFSET, "OopHandle", "_obj", "oop*", FIRST, LAST, TO(handle_object)},
    {USE_CLASS_OBJECTS, OFFSET, "ConstantPool", "_cache", "ConstantPoolCache*", FIRST, LAST, TO(constant_cache)},
    {USE_CLASS_OBJECTS, OFFSET, "ConstantPool", "_tags", "Array<u1>*", FIRST, LAST, TO(constant_tags)},
    {USE_CLASS_OBJECTS, OFFSET, "ConstantPoolCache", "_resolved_references", "OopHandle", FIRST, LAST,
        TO(resolved_references)},
    {USE_CLASS_OBJECTS, OFFSET, "ConstantPoolCache", "_reference_map", "Array<u2>*", FIRST, LAST, TO(reference_map)},
    {USE_CLASS_OBJECTS, OFFSET, "Array<int>", "_length", "int", FIRST, LAST, TO(vm_array_length)},
    {USE_CLASS_OBJECTS, OFFSET, "Array<u1>", "_data", NULL, FIRST, LAST, TO(bytes)},
    {USE_CLASS_OBJECTS, OFFSET, "Array<u2>", "_data", NULL, FIRST, LAST, TO(shorts)},
    {USE_CLASS_OBJECTS, ADDRESS, "CompressedOops", "_base", "address", FIRST, LAST, TO(narrow_base)},
    {USE_CLASS_OBJECTS, ADDRESS, "CompressedOops", "_narrow_oop._base", "address", FIRST, LAST, TO(narrow_base)},
    {USE_CLASS_OBJECTS, ADDRESS, "CompressedOops", "_shift", "int", FIRST, LAST, TO(narrow_shift)},
    {USE_CLASS_OBJECTS, ADDRESS, "CompressedOops", "_narrow_oop._shift", "int", FIRST, LAST, TO(narrow_shift)},

    {USE_THREADS, OFFSET, "Thread", "_allocated_bytes", "jlong", FIRST, LAST, TO(allocated_bytes)},
    {USE_THREADS, OFFSET, "Thread", "_tlab", "ThreadLocalAllocBuffer", FIRST, LAST, TO(tlab)},
    {USE_THREADS, OFFSET, "ThreadLocalAllocBuffer", "_start", "HeapWord*", FIRST, LAST, TO(tlab_start)},
    {USE_THREADS, OFFSET, "ThreadLocalAllocBuffer", "_top", "HeapWord*", FIRST, LAST, TO(tlab_top)},
    {USE_THREADS, ADDRESS, "ThreadsSMRSupport", "_java_thread_list", "ThreadsList*", FIRST, LAST, TO(thread_list)},
    {USE_THREADS, OFFSET, "ThreadsList", "_length", "const uint", FIRST, LAST, TO(list_length)},
    {USE_THREADS, OFFSET, "ThreadsList", "_threads", "JavaThread *const *const", FIRST, LAST, TO(list_threads)},

    {USE_COUNTERS, ADDRESS, "PerfMemory", "_start", "char*", FIRST, LAST, TO(counters)},
    {USE_COUNTERS, ADDRESS, "PerfMemory", "_initialized", "int", FIRST, LAST, TO(counters_ready)},
    {USE_COUNTERS, OFFSET, "PerfDataPrologue", "entry_offset", "jint", FIRST, LAST, TO(first_counter)},
    {USE_COUNTERS, OFFSET, "PerfDataPrologue", "num_entries", "jint", FIRST, LAST, TO(counter_count)},
    {USE_COUNTERS, OFFSET, "PerfDataEntry", "entry_length", "jint", FIRST, LAST, TO(counter_bytes)},
    {USE_COUNTERS, OFFSET, "PerfDataEntry", "name_offset", "jint", FIRST, LAST, TO(counter_name)},
    {USE_COUNTERS, OFFSET, "PerfDataEntry", "data_offset", "jint", FIRST, LAST, TO(counter_value)},

    {USE_COLLECTION_ID, OFFSET, "NamedThread", "_processed_thread", "Thread*", FIRST, LAST, TO(processed_thread)},
    {USE_COLLECTION_ID, ADDRESS, "Universe", "_collectedHeap", "CollectedHeap*", FIRST, LAST, TO(heap)},

    {USE_SERIAL, OFFSET, "GenCollectedHeap", "_young_gen", NULL, FIRST, LAST, TO(young)},
    {USE_SERIAL, OFFSET, "SerialHeap", "_young_gen", NULL, FIRST, LAST, TO(young)},
    {USE_SERIAL, OFFSET, "GenCollectedHeap", "_old_gen", NULL, FIRST, LAST, TO(old)},
    {USE_SERIAL, OFFSET, "SerialHeap", "_old_gen", NULL, FIRST, LAST, TO(old)},
    {USE_SERIAL, OFFSET, "DefNewGeneration", "_eden_space", "ContiguousSpace*", FIRST, LAST, TO(eden)},
    {USE_SERIAL, OFFSET, "DefNewGeneration", "_from_space", "ContiguousSpace*", FIRST, LAST, TO(survivor)},
    {USE_SERIAL, OFFSET, "DefNewGeneration", "_to_space", "ContiguousSpace*", FIRST, LAST, TO(to_space)},
    {USE_SERIAL, OFFSET, "TenuredGeneration", "_the_space", NULL, FIRST, LAST, TO(old_space)},
    {USE_SERIAL, OFFSET, "Space", "_bottom", "HeapWord*", FIRST, LAST, TO(space_bottom)},
    {USE_SERIAL, OFFSET, "ContiguousSpace", "_bottom", "HeapWord*", FIRST, LAST, TO(space_bottom)},
    {USE_SERIAL, OFFSET, "ContiguousSpace", "_top", "HeapWord*", FIRST, LAST, TO(space_top)},
    {USE_SERIAL, OFFSET, "Space", "_end", "HeapWord*", FIRST, LAST, TO(space_end)},
    {USE_SERIAL, OFFSET, "ContiguousSpace", "_end", "HeapWord*", FIRST, LAST, TO(space_end)},

    {USE_PARALLEL, ADDRESS, "ParallelScavengeHeap", "_young_gen", "PSYoungGen*", FIRST, LAST, TO(young_address)},
    {USE_PARALLEL, ADDRESS, "ParallelScavengeHeap", "_old_gen", "PSOldGen*", FIRST, LAST, TO(old_address)},
    {USE_PARALLEL, OFFSET, "PSYoungGen", "_eden_space", "MutableSpace*", FIRST, LAST, TO(ps_eden)},
    {USE_PARALLEL, OFFSET, "PSYoungGen", "_from_space", "MutableSpace*", FIRST, LAST, TO(ps_survivor)},
    {USE_PARALLEL, OFFSET, "PSYoungGen", "_to_space", "MutableSpace*", FIRST, LAST, TO(ps_to_space)},
    {USE_PARALLEL, OFFSET, "PSOldGen", "_object_space", "MutableSpace*", FIRST, LAST, TO(ps_old_space)},
    {USE_PARALLEL, OFFSET, "MutableSpace", "_bottom", "HeapWord*", FIRST, LAST, TO(mutable_bottom)},
    {USE_PARALLEL, OFFSET, "MutableSpace", "_top", "HeapWord*", FIRST, LAST, TO(mutable_top)},
    {USE_PARALLEL, OFFSET, "MutableSpace", "_end", "HeapWord*", FIRST, LAST, TO(mutable_end)},

    {USE_G1, OFFSET, "G1CollectedHeap", "_summary_bytes_used", "size_t", FIRST, LAST, TO(retired_bytes)},
    {USE_G1, OFFSET, "G1CollectedHeap", "_hrm", NULL, FIRST, LAST, TO(region_manager)},
    {USE_G1, OFFSET, "HeapRegionManager", "_regions", "G1HeapRegionTable", FIRST, LAST, TO(region_table)},
    {USE_G1, OFFSET, "G1HeapRegionManager", "_regions", "G1HeapRegionTable", FIRST, LAST, TO(region_table)},
    {USE_G1, OFFSET, "G1HeapRegionTable", "_base", NULL, FIRST, LAST, TO(region_list)},
    {USE_G1, OFFSET, "G1HeapRegionTable", "_length", "size_t", FIRST, LAST, TO(region_count)},
    {USE_G1, OFFSET, "HeapRegion", "_bottom", NULL, FIRST, LAST, TO(region_bottom)},
    {USE_G1, OFFSET, "G1HeapRegion", "_bottom", NULL, FIRST, LAST, TO(region_bottom)},
    {USE_G1, OFFSET, "HeapRegion", "_top", NULL, FIRST, LAST, TO(region_top)},
    {USE_G1, OFFSET, "G1HeapRegion", "_top", NULL, FIRST, LAST, TO(region_top)},
    {USE_G1, OFFSET, "HeapRegion", "_type", NULL, FIRST, LAST, TO(region_type)},
    {USE_G1, OFFSET, "G1HeapRegion", "_type", NULL, FIRST, LAST, TO(region_type)},
    {USE_G1, OFFSET, "HeapRegionType", "_tag", NULL, FIRST, LAST, TO(region_tag)},
    {USE_G1, OFFSET, "G1HeapRegionType", "_tag", NULL, FIRST, LAST, TO(region_tag)},
    {USE_G1, CONSTANT, "HeapRegionType::OldMask", NULL, NULL, FIRST, LAST, TO(old_mask)},
    {USE_G1, CONSTANT, "G1HeapRegionType::OldMask", NULL, NULL, FIRST, LAST, TO(old_mask)},

    {USE_ZGC, OFFSET, "ZCollectedHeap", "_heap", "ZHeap", FIRST, LAST, TO(zheap)},
    {USE_ZGC, OFFSET, "ZHeap", "_page_allocator", "ZPageAllocator", FIRST, LAST, TO(page_allocator)},
    {USE_ZGC, OFFSET, "ZPageAllocator", "_used", NULL, FIRST, 24, TO(page_used)},
    {USE_ZGC, OFFSET, "ZPartition", "_used", NULL, 25, LAST, TO(partition_used)},
    {USE_ZGC, OFFSET, "ZPageAllocator", "_partitions", "ZPerNUMAZPartition", 25, LAST, TO(partitions)},
    {USE_ZGC, OFFSET, "ZPerNUMAZPartition", "_addr", NULL, 25, LAST, TO(partition_list)},
    {USE_ZGC, ADDRESS, "ZNUMA", "_count", "uint32_t", 25, LAST, TO(partition_count)},

    {USE_SHENANDOAH, OFFSET, "ShenandoahHeap", "_used", NULL, FIRST, LAST, TO(shenandoah_used)},
    {USE_SHENANDOAH, OFFSET, "ShenandoahGeneration", "_used", NULL, FIRST, LAST, TO(shenandoah_used)},
    {USE_SHENANDOAH, OFFSET, "ShenandoahHeap", "_global_generation", "ShenandoahGeneration*", 25, LAST, TO(generation)},

    {USE_OBJECTS, ADDRESS, "CompressedKlassPointers", "_base", "address", FIRST, LAST, TO(klass_base)},
    {USE_OBJECTS, ADDRESS, "CompressedKlassPointers", "_narrow_klass._base", "address", FIRST, LAST, TO(klass_base)},
    {USE_OBJECTS, ADDRESS, "CompressedKlassPointers", "_shift", "int", FIRST, LAST, TO(klass_shift)},
    {USE_OBJECTS, ADDRESS, "CompressedKlassPointers", "_narrow_klass._shift", "int", FIRST, LAST, TO(klass_shift)},
    {USE_OBJECTS, OFFSET, "Klass", "_name", "Symbol*", FIRST, LAST, TO(klass_name)},
    {USE_OBJECTS, OFFSET, "Symbol", "_length", "u2", FIRST, LAST, TO(symbol_length)},
    {USE_OBJECTS, OFFSET, "Symbol", "_body", NULL, FIRST, LAST, TO(symbol_text)},
    {USE_OBJECTS, OFFSET, "ThreadLocalAllocBuffer", "_end", "HeapWord*", FIRST, LAST, TO(tlab_end)},
    {USE_OBJECTS, OFFSET, "ThreadLocalAllocBuffer", "_desired_size", "size_t", FIRST, LAST, TO(tlab_desired)},
    {USE_OBJECTS, ADDRESS, "ThreadLocalAllocBuffer", "_reserve_for_allocation_prefetch", "int", FIRST, LAST,
        TO(tlab_prefetch)},
    {USE_OBJECTS, OFFSET, "CollectedHeap", "_total_collections", "unsigned int", FIRST, LAST, TO(total_collections)},
    {USE_OBJECTS, OFFSET, "ObjectMonitor", "_header", "markWord", FIRST, LAST, TO(monitor_header)},
    {USE_OBJECTS, OFFSET, "ObjectMonitor", "_metadata", "uintptr_t", FIRST, LAST, TO(monitor_header)},
    {USE_OBJECTS, OFFSET, "ObjectMonitor", "_object", NULL, FIRST, LAST, TO(monitor_object)},
    {USE_OBJECTS, LONG_CONSTANT, "markWord::hash_shift", NULL, NULL, FIRST, LAST, TO(hash_shift)},

    {USE_OBJECTS_G1, OFFSET, "G1HeapRegionTable", "_bias", "size_t", FIRST, LAST, TO(region_bias)},
    {USE_OBJECTS_G1, OFFSET, "G1HeapRegionTable", "_shift_by", "uint", FIRST, LAST, TO(region_shift)},
    {USE_OBJECTS_G1, CONSTANT, "HeapRegionType::FreeTag", NULL, NULL, FIRST, LAST, TO(free_tag)},
    {USE_OBJECTS_G1, CONSTANT, "G1HeapRegionType::FreeTag", NULL, NULL, FIRST, LAST, TO(free_tag)},
    {USE_OBJECTS_G1, CONSTANT, "HeapRegionType::EdenTag", NULL, NULL, FIRST, LAST, TO(eden_tag)},
    {USE_OBJECTS_G1, CONSTANT, "G1HeapRegionType::EdenTag", NULL, NULL, FIRST, LAST, TO(eden_tag)},
    {USE_OBJECTS_G1, CONSTANT, "HeapRegionType::SurvTag", NULL, NULL, FIRST, LAST, TO(survivor_tag)},
    {USE_OBJECTS_G1, CONSTANT, "G1HeapRegionType::SurvTag", NULL, NULL, FIRST, LAST, TO(survivor_tag)},
    {USE_OBJECTS_G1, CONSTANT, "HeapRegionType::StartsHumongousTag", NULL, NULL, FIRST, LAST, TO(humongous_tag)},
    {USE_OBJECTS_G1, CONSTANT, "G1HeapRegionType::StartsHumongousTag", NULL, NULL, FIRST, LAST, TO(humongous_tag)},
    {USE_OBJECTS_G1, CONSTANT, "HeapRegionType::ContinuesHumongousTag", NULL, NULL, FIRST, LAST, TO(continued_tag)},
    {USE_OBJECTS_G1, CONSTANT, "G1HeapRegionType::ContinuesHumongousTag", NULL, NULL, FIRST, LAST, TO(continued_tag)},
    {USE_OBJECTS_G1, CONSTANT, "HeapRegionType::HumongousMask", NULL, NULL, FIRST, LAST, TO(humongous_mask)},
    {USE_OBJECTS_G1, CONSTANT, "G1HeapRegionType::HumongousMask", NULL, NULL, FIRST, LAST, TO(humongous_mask)},

    {USE_THREAD_STATES, OFFSET, "JavaThread", "_thread_state", NULL, FIRST, LAST, TO(thread_state)},
    {USE_THREAD_STATES, CONSTANT, "_thread_in_vm", NULL, NULL, FIRST, LAST, TO(state_in_vm)},
    {USE_THREAD_STATES, CONSTANT, "_thread_in_Java", NULL, NULL, FIRST, LAST, TO(state_in_java)},

    {USE_REFERENCES, OFFSET, "Klass", "_super", "Klass*", FIRST, LAST, TO(super)},
    {USE_REFERENCES, OFFSET, "Klass", "_vtable_len", "int", FIRST, LAST, TO(virtual_count)},
    {USE_REFERENCES, OFFSET, "InstanceKlass", "_itable_len", "int", FIRST, LAST, TO(interface_words)},
    {USE_REFERENCES, OFFSET, "InstanceKlass", "_nonstatic_oop_map_size", "int", FIRST, LAST, TO(map_words)},
    {USE_REFERENCES, ADDRESS, "java_lang_Class", "_array_klass_offset", "int", FIRST, LAST, TO(array_klass)},
    {USE_REFERENCES, ADDRESS, "java_lang_Class", "_static_oop_field_count_offset", "int", FIRST, LAST,
        TO(static_references)},
    {USE_REFERENCES, SIZE, "ConstantPool", NULL, NULL, FIRST, LAST, TO(constant_pool_bytes)},
    {USE_REFERENCES, OFFSET, "InstanceKlass", "_fields", "Array<u2>*", FIRST, 20, TO(fields)},
    {USE_REFERENCES, OFFSET, "InstanceKlass", "_java_fields_count", "u2", FIRST, 20, TO(field_count)},
    {USE_REFERENCES, OFFSET, "InstanceKlass", "_fieldinfo_stream", "Array<u1>*", 21, LAST, TO(field_stream)},

    {USE_LOADERS, OFFSET, "Klass", "_class_loader_data", "ClassLoaderData*", FIRST, LAST, TO(class_loader_data)},

    /* newer JVMs hand the parameters of methods over with the class (JDK-8240908) */
    {USE_PARAMETERS, OFFSET, "Method", "_constMethod", "ConstMethod*", FIRST, 20, TO(const_method)},
    {USE_PARAMETERS, OFFSET, "ConstMethod", "_flags", "u2", FIRST, 20, TO(const_flags)},
    {USE_PARAMETERS, OFFSET, "ConstMethod", "_constMethod_size", "int", FIRST, 20, TO(const_words)},
    {USE_PARAMETERS, CONSTANT, "ConstMethod::_has_method_parameters", NULL, NULL, FIRST, 20, TO(has_parameters)},
    {USE_PARAMETERS, CONSTANT, "ConstMethod::_has_generic_signature", NULL, NULL, FIRST, 20, TO(has_signature)},
    {USE_PARAMETERS, CONSTANT, "ConstMethod::_has_method_annotations", NULL, NULL, FIRST, 20, TO(has_annotations[0])},
    {USE_PARAMETERS, CONSTANT, "ConstMethod::_has_parameter_annotations", NULL, NULL, FIRST, 20,
        TO(has_annotations[1])},
    {USE_PARAMETERS, CONSTANT, "ConstMethod::_has_type_annotations", NULL, NULL, FIRST, 20, TO(has_annotations[2])},
    {USE_PARAMETERS, CONSTANT, "ConstMethod::_has_default_annotations", NULL, NULL, FIRST, 20,
        TO(has_annotations[3])},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* What each use is for. Where the answers can be checked against JVMTI's, a newer JVM's entries are used once they have
 * been (confirm_hotspot). */
static const struct {
    const char *name;
    bool checked;
    const char *collector; /* which the JVM has where it is of use; NULL: any */
} uses[HOTSPOT_USES] = {
    [USE_FLAGS] = {"the name of the collector, and archives of classes", false, NULL},
    [USE_CLASSES] = {"the sizes of instances", true, NULL},
    [USE_VIRTUAL_METHODS] = {"a quick way to know classes that inherit clone", false, NULL},
    [USE_CLASS_OBJECTS] = {"what the JVM makes for its classes", false, NULL},
    [USE_THREADS] = {"what the JVM itself says was allocated", false, NULL},
    [USE_COUNTERS] = {"causes and kinds of collections", false, NULL},
    [USE_COLLECTION_ID] = {"the JVM's numbers of collections", false, NULL},
    [USE_SERIAL] = {"bytes used in the heap", false, "Serial"},
    [USE_PARALLEL] = {"bytes used in the heap", false, "Parallel"},
    [USE_G1] = {"bytes used in the heap", false, "G1"},
    [USE_ZGC] = {"bytes used in the heap", false, "ZGC"},
    [USE_SHENANDOAH] = {"bytes used in the heap", false, "Shenandoah"},
    [USE_OBJECTS] = {NULL, false, NULL}, /* the observer of objects says that itself, where it is wanted */
    [USE_OBJECTS_G1] = {NULL, false, NULL},
    [USE_THREAD_STATES] = {NULL, false, NULL}, /* without them all is read in pauses */
    [USE_REFERENCES] = {NULL, false, NULL},
    [USE_LOADERS] = {NULL, false, NULL},
    [USE_PARAMETERS] = {NULL, false, NULL},
};

/* The value of an exported variable of libjvm; 0 without it. */
static uint64_t exported(void *library, const char *name) {
    uint64_t *p = dlsym(library, name);
    return p ? *p : 0;
}

/* An array of descriptions, which ends with one that has no type. All of them begin with the same words. */
struct descriptions {
    const char *at; /* NULL: there are none */
    uint64_t stride, type, field, declared, is_static, offset, address, size;
};

static struct descriptions fields_of(void *library) {
#define ENTRY(what) exported(library, "gHotSpotVMStructEntry" what)
    return (struct descriptions){
        .at = (const char *)(uintptr_t)exported(library, "gHotSpotVMStructs"),
        .stride = ENTRY("ArrayStride"),
        .type = ENTRY("TypeNameOffset"),
        .field = ENTRY("FieldNameOffset"),
        .declared = ENTRY("TypeStringOffset"),
        .is_static = ENTRY("IsStaticOffset"),
        .offset = ENTRY("OffsetOffset"),
        .address = ENTRY("AddressOffset"),
    };
#undef ENTRY
}

static struct descriptions types_of(void *library) {
    return (struct descriptions){
        .at = (const char *)(uintptr_t)exported(library, "gHotSpotVMTypes"),
        .stride = exported(library, "gHotSpotVMTypeEntryArrayStride"),
        .type = exported(library, "gHotSpotVMTypeEntryTypeNameOffset"),
        .size = exported(library, "gHotSpotVMTypeEntrySizeOffset"),
    };
}

static struct descriptions constants_of(void *library, bool of_longs) {
#define CONSTANTS(what) exported(library, of_longs ? "gHotSpotVMLongConstant" what : "gHotSpotVMIntConstant" what)
    return (struct descriptions){
        .at = (const char *)(uintptr_t)CONSTANTS("s"),
        .stride = CONSTANTS("EntryArrayStride"),
        .type = CONSTANTS("EntryNameOffset"),
        .size = CONSTANTS("EntryValueOffset"),
    };
#undef CONSTANTS
}

static uint64_t word_at(const char *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static const char *text_at(const char *p) { return (const char *)(uintptr_t)word_at(p); }

static bool same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

static bool find_size(struct descriptions d, const struct row *r, uint64_t *value) {
    for (; d.at && d.stride && text_at(d.at + d.type); d.at += d.stride)
        if (same(text_at(d.at + d.type), r->type)) return (*value = word_at(d.at + d.size)) != 0;
    return false;
}

static bool find_constant(struct descriptions d, const struct row *r, uint64_t *value) {
    for (; d.at && d.stride && text_at(d.at + d.type); d.at += d.stride) {
        int32_t constant;
        if (!same(text_at(d.at + d.type), r->type)) continue;
        memcpy(&constant, d.at + d.size, sizeof constant);
        *value = r->kind == LONG_CONSTANT ? word_at(d.at + d.size) : (uint64_t)constant;
        return true;
    }
    return false;
}

static bool find_field(struct descriptions d, const struct row *r, uint64_t *value) {
    for (; d.at && d.stride && text_at(d.at + d.type); d.at += d.stride) {
        if (!same(text_at(d.at + d.type), r->type) || !same(text_at(d.at + d.field), r->field)) continue;
        int is_static;
        memcpy(&is_static, d.at + d.is_static, sizeof is_static);
        if (is_static != (r->kind == ADDRESS) ||
            (r->declared && !same(text_at(d.at + d.declared), r->declared))) return false;
        *value = word_at(d.at + (is_static ? d.address : d.offset));
        return !is_static || *value != 0;
    }
    return false;
}

static bool withheld(const struct row *r) {
    char name[128];
    snprintf(name, sizeof name, "%s%s%s", r->type, r->field ? "::" : "", r->field ? r->field : "");
    return strcmp(name, HOTSPOT_WITHHELD) == 0;
}

/* Whether a row is one of this JDK's; the newest ones stand for what is newer. */
static bool applies(const struct row *r, int feature) {
    return feature >= r->first && (feature <= r->last || r->last == LAST);
}

static uint64_t *target(struct hotspot *h, const struct row *r) { return (uint64_t *)(void *)((char *)h + r->to); }

void read_hotspot(struct hotspot *h, void *library, int feature) {
    const struct descriptions fields = fields_of(library), types = types_of(library),
                              constants = constants_of(library, false), longs = constants_of(library, true);
    bool found[ROWS];
    memset(h, 0, sizeof *h);
    h->found = fields.at != NULL;
    h->newer = feature > HOTSPOT_NEWEST;
    for (int use = 0; use < HOTSPOT_USES; use++) h->on[use] = uses[use].checked || !h->newer;
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        found[i] = applies(r, feature) && !withheld(r) &&
                   (r->kind == SIZE       ? find_size(types, r, target(h, r))
                    : r->kind == CONSTANT ? find_constant(constants, r, target(h, r))
                    : r->kind == LONG_CONSTANT ? find_constant(longs, r, target(h, r))
                                          : find_field(fields, r, target(h, r)));
    }
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        bool any = !applies(r, feature);
        for (size_t k = 0; k < ROWS; k++) any |= found[k] && rows[k].to == r->to;
        if (any) continue;
        h->on[r->use] = false;
        if (h->missing_type[r->use]) continue;
        h->missing_type[r->use] = r->type;
        h->missing_name[r->use] = r->field;
    }
}

/* Adds to a text what there is room for. */
static void add(char *text, size_t size, const char *format, ...) {
    size_t n = strlen(text);
    va_list values;
    va_start(values, format);
    vsnprintf(text + n, size - n, format, values);
    va_end(values);
}

unsigned describe_hotspot(const struct hotspot *h, int feature, const char *collector, char *text, size_t size) {
    unsigned off = 0;
    *text = 0;
    for (int use = 0; use < HOTSPOT_USES; use++) {
        const char *type = h->missing_type[use], *field = h->missing_name[use];
        if (h->on[use] || !uses[use].name) continue;
        if (uses[use].collector && strcmp(uses[use].collector, collector) != 0) continue;
        if (off++ > 0)
            add(text, size, ",");
        else if (h->newer)
            add(text, size, "JDK %d is newer than JDK %d, up to which Mallard knows HotSpot; it does without", feature,
                HOTSPOT_NEWEST);
        else
            add(text, size, "this JVM is not in all parts as Mallard knows it; it does without");
        add(text, size, " %s", uses[use].name);
        if (type) add(text, size, " (there is no %s%s%s)", type, field ? "::" : "", field ? field : "");
    }
    return off;
}
