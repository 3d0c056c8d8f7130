/* Reads the table from descriptions of a JVM that does not exist: whole, without one entry, with one that is another than the table knows. It prints
 * what is wrong, and nothing else. */
#include "../hotspot_table.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* As JDK 17 and 25 export them: VMStructEntry, VMTypeEntry. */
struct field_entry {
    const char *type, *field, *declared;
    int is_static;
    uint64_t offset;
    void *address;
};
struct type_entry {
    const char *name, *super;
    int kinds[3];
    uint64_t size;
};

static int anything;
#define FIELD(type, field, declared, offset) {type, field, declared, 0, offset, NULL}
#define STATIC(type, field, declared) {type, field, declared, 1, 0, &anything}
static const struct field_entry whole[] = {
    STATIC("Arguments", "_java_command", "char*"),
    FIELD("JVMFlag", "_addr", NULL, 0),
    FIELD("JVMFlag", "_name", "const char*", 8),
    STATIC("JVMFlag", "flags", "JVMFlag*"),
    STATIC("JVMFlag", "numFlags", "size_t"),
    FIELD("Klass", "_layout_helper", "jint", 8),
    FIELD("Klass", "_name", "Symbol*", 24),
    STATIC("java_lang_Class", "_klass_offset", "int"),
    STATIC("ClassLoaderDataGraph", "_head", "ClassLoaderData*"),
    FIELD("ClassLoaderData", "_next", "ClassLoaderData*", 16),
    FIELD("ClassLoaderData", "_klasses", "Klass*", 24),
    FIELD("Klass", "_next_link", "Klass*", 32),
    FIELD("Klass", "_java_mirror", "OopHandle", 40),
    STATIC("java_lang_Class", "_oop_size_offset", "int"),
    FIELD("InstanceKlass", "_static_field_size", "int", 44),
    FIELD("InstanceKlass", "_constants", "ConstantPool*", 48),
    FIELD("OopHandle", "_obj", "oop*", 0),
    FIELD("ConstantPool", "_cache", "ConstantPoolCache*", 16),
    FIELD("ConstantPool", "_tags", "Array<u1>*", 8),
    FIELD("ConstantPoolCache", "_resolved_references", "OopHandle", 16),
    FIELD("ConstantPoolCache", "_reference_map", "Array<u2>*", 24),
    FIELD("Array<int>", "_length", "int", 0),
    FIELD("Array<u1>", "_data", NULL, 4),
    FIELD("Array<u2>", "_data", NULL, 4),
    STATIC("CompressedOops", "_base", "address"),
    STATIC("CompressedOops", "_shift", "int"),
    FIELD("Thread", "_tlab", "ThreadLocalAllocBuffer", 256),
    FIELD("Thread", "_allocated_bytes", "jlong", 376),
    FIELD("ThreadLocalAllocBuffer", "_start", "HeapWord*", 0),
    FIELD("ThreadLocalAllocBuffer", "_top", "HeapWord*", 8),
    STATIC("ThreadsSMRSupport", "_java_thread_list", "ThreadsList*"),
    FIELD("ThreadsList", "_length", "const uint", 4),
    FIELD("ThreadsList", "_threads", "JavaThread *const *const", 16),
    STATIC("PerfMemory", "_start", "char*"),
    STATIC("PerfMemory", "_initialized", "int"),
    FIELD("PerfDataPrologue", "entry_offset", "jint", 24),
    FIELD("PerfDataPrologue", "num_entries", "jint", 28),
    FIELD("PerfDataEntry", "entry_length", "jint", 0),
    FIELD("PerfDataEntry", "name_offset", "jint", 4),
    FIELD("PerfDataEntry", "data_offset", "jint", 16),
    FIELD("NamedThread", "_processed_thread", "Thread*", 664),
    STATIC("Universe", "_collectedHeap", "CollectedHeap*"),
};
static const struct type_entry whole_types[] = {{.name = "Klass", .size = 184}, {.name = "InstanceKlass", .size = 464}, {.name = "JVMFlag", .size = 24}};
enum { FIELDS = sizeof whole / sizeof *whole, TYPES = sizeof whole_types / sizeof *whole_types };

static struct field_entry fields[FIELDS + 1];
static struct type_entry types[TYPES + 1];

#define EXPORTED __attribute__((visibility("default")))
EXPORTED struct field_entry *gHotSpotVMStructs;
EXPORTED struct type_entry *gHotSpotVMTypes;
EXPORTED uint64_t gHotSpotVMStructEntryTypeNameOffset = offsetof(struct field_entry, type);
EXPORTED uint64_t gHotSpotVMStructEntryFieldNameOffset = offsetof(struct field_entry, field);
EXPORTED uint64_t gHotSpotVMStructEntryTypeStringOffset = offsetof(struct field_entry, declared);
EXPORTED uint64_t gHotSpotVMStructEntryIsStaticOffset = offsetof(struct field_entry, is_static);
EXPORTED uint64_t gHotSpotVMStructEntryOffsetOffset = offsetof(struct field_entry, offset);
EXPORTED uint64_t gHotSpotVMStructEntryAddressOffset = offsetof(struct field_entry, address);
EXPORTED uint64_t gHotSpotVMStructEntryArrayStride;
EXPORTED uint64_t gHotSpotVMTypeEntryTypeNameOffset = offsetof(struct type_entry, name);
EXPORTED uint64_t gHotSpotVMTypeEntrySizeOffset = offsetof(struct type_entry, size);
EXPORTED uint64_t gHotSpotVMTypeEntryArrayStride;

static int wrong;
#define CHECK(ok, ...) \
    if (!(ok)) wrong++, printf(__VA_ARGS__), printf("\n")

static void restore(void) {
    memcpy(fields, whole, sizeof whole);
    memcpy(types, whole_types, sizeof whole_types);
    gHotSpotVMStructs = fields;
    gHotSpotVMTypes = types;
    gHotSpotVMStructEntryArrayStride = sizeof *fields;
    gHotSpotVMTypeEntryArrayStride = sizeof *types;
}

/* This JVM has no heap that the agent knows: its collector has no name. */
enum { USES = USE_SERIAL };

static unsigned off(const struct hotspot *h) {
    unsigned n = 0;
    for (int use = 0; use < USES; use++) n += !h->on[use];
    return n;
}

/* Reads again; what is wrong with an entry takes one use away, and is named. Entries that the table does not use change nothing. */
static void read_without(void *self, const char *type, const char *field, const char *what, bool used) {
    struct hotspot h;
    char text[1024], name[128];
    snprintf(name, sizeof name, "%s%s%s", type, field ? "::" : "", field ? field : "");
    read_hotspot(&h, self, 25);
    unsigned said = describe_hotspot(&h, 25, "", text, sizeof text);
    CHECK(off(&h) == used && said == used, "%s %s: %u uses are off, and %u said to be", name, what, off(&h), said);
    CHECK(!used || strstr(text, name), "%s %s: not named in %s", name, what, text);
    CHECK(used || !*text, "%s %s: %s", name, what, text);
    restore();
}

static void read_wholly(void *self, int feature) {
    struct hotspot h;
    char text[1024];
    read_hotspot(&h, self, feature);
    CHECK(h.found && !h.newer && off(&h) == 0, "whole: %u uses are off", off(&h));
    CHECK(describe_hotspot(&h, feature, "", text, sizeof text) == 0 && !*text, "whole: %s", text);
    CHECK(h.layout_helper == 8 && h.allocated_bytes == 376 && h.tlab == 256 && h.tlab_top == 8 && h.list_length == 4 && h.list_threads == 16,
          "whole: other offsets");
    CHECK(h.instance_klass_bytes == 464 && h.flag_bytes == 24, "whole: other sizes");
    CHECK(h.klass_offset == (uintptr_t)&anything && h.thread_list == (uintptr_t)&anything, "whole: other addresses");
}

static void read_newer(void *self) {
    struct hotspot h;
    char text[1024], cut[40];
    read_hotspot(&h, self, 26);
    CHECK(h.found && h.newer && h.on[USE_CLASSES] && off(&h) == USES - 1, "newer: %u uses are off", off(&h));
    CHECK(describe_hotspot(&h, 26, "", text, sizeof text) == USES - 1 && strstr(text, "JDK 26 is newer than JDK 25"), "newer: %s", text);
    describe_hotspot(&h, 26, "", cut, sizeof cut);
    CHECK(strlen(cut) == sizeof cut - 1 && strncmp(cut, text, sizeof cut - 1) == 0, "cut off: %s", cut);
}

int main(void) {
    struct hotspot h;
    void *self = dlopen(NULL, RTLD_LAZY);
    restore();
    for (int feature = 17; feature <= 25; feature++) read_wholly(self, feature);
    read_newer(self);
    for (int i = 0; i < FIELDS; i++) {
        const char *type = whole[i].type, *field = whole[i].field;
        bool used = strcmp(field, "_java_command") != 0 && (strcmp(type, "Klass") != 0 || strcmp(field, "_name") != 0);
        fields[i].field = "_renamed";
        read_without(self, type, field, "renamed", used);
        fields[i].is_static = !fields[i].is_static;
        read_without(self, type, field, "of another kind", used);
        if (whole[i].declared) {
            fields[i].declared = "Other";
            read_without(self, type, field, "of another type", used);
            fields[i].declared = NULL;
            read_without(self, type, field, "of no type", used);
        }
        if (whole[i].is_static) {
            fields[i].address = NULL;
            read_without(self, type, field, "without an address", used);
        }
    }
    for (int i = 0; i < TYPES; i++) {
        bool used = strcmp(whole_types[i].name, "Klass") != 0;
        types[i].name = "Other";
        read_without(self, whole_types[i].name, NULL, "renamed", used);
        types[i].size = 0;
        read_without(self, whole_types[i].name, NULL, "without a size", used);
    }
    gHotSpotVMStructEntryArrayStride = gHotSpotVMTypeEntryArrayStride = 0;
    read_hotspot(&h, self, 25);
    CHECK(h.found && off(&h) == USES, "no strides: %u uses are off", off(&h));
    gHotSpotVMStructs = NULL;
    read_hotspot(&h, self, 25);
    CHECK(!h.found && off(&h) == USES, "nothing exported: %u uses are off", off(&h));
    return wrong > 0;
}
