/* What HotSpot knows of its heap, and of the collection that it is doing: read while the world is stopped. */
#include <pthread.h>
#include <string.h>

#include "agent.h"
#include "hotspot.h"
#include "hotspot_table.h"

static const struct hotspot *vm;
static const char *gc;                             /* the collector */
static pthread_key_t thread_key;                   /* the VM's own: of the structure of the running thread */
static bool has_thread_key;
static const int64_t *class_space, *largest_class_space; /* bytes committed, and reserved; NULL: not known */
static bool metadata_unbounded; /* the rest of it, and where it is short of room G1 begins to mark */

enum {
    MOST_KEYS = 1024,      /* PTHREAD_KEYS_MAX */
    MOST_REGIONS = 1 << 16,
    Z_VALUE_BYTES = 4096   /* ZValueStorage::offset, from one node of memory to the next; seen with one node only */
};
static uint64_t was_old[MOST_REGIONS / 64];

/* Others than G1 collect all of the heap at once (VM_CollectForMetadataAllocation). */
static void find_metadata(void) {
    enum { UNBOUNDED = 60 }; /* bits */
    uintptr_t most = flag("MaxMetaspaceSize");
    metadata_unbounded = most && AT(uint64_t, most) >> UNBOUNDED && strcmp(gc, "G1") == 0 &&
        flag_set("ClassUnloadingWithConcurrentMark");
    class_space = performance_counter("sun.gc.compressedclassspace.capacity");
    largest_class_space = performance_counter("sun.gc.compressedclassspace.maxCapacity");
}

void find_heap(JNIEnv *env, jthread self) {
    uintptr_t structure = vm_thread(env, self);
    vm = hotspot_entries();
    gc = collector();
    for (pthread_key_t k = 0; structure && k < MOST_KEYS && !has_thread_key; k++) {
        has_thread_key = (uintptr_t)pthread_getspecific(k) == structure;
        thread_key = k;
    }
    find_metadata();
}

bool metadata_has_room(void) {
    return metadata_unbounded && class_space && largest_class_space && *class_space < *largest_class_space / 2;
}

/* GCId::current: the word behind _processed_thread, which has no entry of its own. */
uint32_t collection_id(void) {
    uintptr_t thread = has_thread_key && vm->on[USE_COLLECTION_ID] ? (uintptr_t)pthread_getspecific(thread_key) : 0;
    return thread ? AT(uint32_t, thread + vm->processed_thread + sizeof(void *)) : UINT32_MAX;
}

uintptr_t collected_heap(void) { return AT(uintptr_t, vm->heap); }

static uint64_t serial_space(uintptr_t space) {
    return AT(uintptr_t, space + vm->space_top) - AT(uintptr_t, space + vm->space_bottom);
}

static uint64_t used_in_serial(void) {
    uintptr_t young = AT(uintptr_t, collected_heap() + vm->young), old = AT(uintptr_t, collected_heap() + vm->old);
    return serial_space(AT(uintptr_t, young + vm->eden)) + serial_space(AT(uintptr_t, young + vm->survivor)) +
           serial_space(AT(uintptr_t, old + vm->old_space));
}

static uint64_t parallel_space(uintptr_t space) {
    return AT(uintptr_t, space + vm->mutable_top) - AT(uintptr_t, space + vm->mutable_bottom);
}

static uint64_t used_in_parallel(void) {
    uintptr_t young = AT(uintptr_t, vm->young_address), old = AT(uintptr_t, vm->old_address);
    return parallel_space(AT(uintptr_t, young + vm->ps_eden)) + parallel_space(AT(uintptr_t, young + vm->ps_survivor)) +
           parallel_space(AT(uintptr_t, old + vm->ps_old_space));
}

struct generations serial_generations(void) {
    uintptr_t young = AT(uintptr_t, collected_heap() + vm->young), old = AT(uintptr_t, collected_heap() + vm->old);
    uintptr_t in_old = AT(uintptr_t, old + vm->old_space);
    return (struct generations){
        .eden = serial_space(AT(uintptr_t, young + vm->eden)),
        .survivors = serial_space(AT(uintptr_t, young + vm->survivor)) +
                     serial_space(AT(uintptr_t, young + vm->to_space)),
        .old_free = AT(uintptr_t, in_old + vm->space_end) - AT(uintptr_t, in_old + vm->space_top)};
}

struct generations parallel_generations(void) {
    uintptr_t young = AT(uintptr_t, vm->young_address);
    uintptr_t in_old = AT(uintptr_t, AT(uintptr_t, vm->old_address) + vm->ps_old_space);
    return (struct generations){
        .eden = parallel_space(AT(uintptr_t, young + vm->ps_eden)),
        .survivors = parallel_space(AT(uintptr_t, young + vm->ps_survivor)) +
                     parallel_space(AT(uintptr_t, young + vm->ps_to_space)),
        .old_free = AT(uintptr_t, in_old + vm->mutable_end) - AT(uintptr_t, in_old + vm->mutable_top)};
}

uint64_t old_generation_used(void) {
    if (!vm->on[USE_PARALLEL] || strcmp(gc, "Parallel") != 0) return 0;
    return parallel_space(AT(uintptr_t, AT(uintptr_t, vm->old_address) + vm->ps_old_space));
}

uintptr_t region_table(void) { return collected_heap() + vm->region_manager + vm->region_table; }

struct regions g1_regions(void) {
    uintptr_t table = region_table();
    return (struct regions){AT(const uintptr_t *, table + vm->region_list), AT(size_t, table + vm->region_count)};
}

/* What is allocated in now is in no sum of the VM's yet, and not to be found but among all regions. */
static uint64_t used_in_g1(void) {
    struct regions all = g1_regions();
    uint64_t used = 0;
    for (size_t i = 0; i < all.count; i++) {
        uintptr_t r = all.list[i];
        if (r) used += AT(uintptr_t, r + vm->region_top) - AT(uintptr_t, r + vm->region_bottom);
    }
    return used;
}

bool is_old_region(uintptr_t region) {
    return AT(uint32_t, region + vm->region_type + vm->region_tag) & (uint32_t)vm->old_mask;
}

void note_old_regions(void) {
    if (!vm->on[USE_G1] || strcmp(gc, "G1") != 0) return;
    struct regions all = g1_regions();
    memset(was_old, 0, sizeof was_old);
    for (size_t i = 0; i < all.count && i < MOST_REGIONS; i++)
        if (all.list[i] && is_old_region(all.list[i])) was_old[i / 64] |= UINT64_C(1) << i % 64;
}

uint32_t old_regions_freed(void) {
    uint32_t freed = 0;
    if (!vm->on[USE_G1] || strcmp(gc, "G1") != 0) return 0;
    struct regions all = g1_regions();
    for (size_t i = 0; i < all.count && i < MOST_REGIONS; i++)
        freed += was_old[i / 64] >> i % 64 & 1 && !(all.list[i] && is_old_region(all.list[i]));
    return freed;
}

static uint64_t used_in_z(void) {
    uintptr_t pages = collected_heap() + vm->zheap + vm->page_allocator;
    if (vm->page_used) return AT(size_t, pages + vm->page_used);
    uint64_t used = 0;
    for (uint32_t i = 0; i < AT(uint32_t, vm->partition_count); i++)
        used += AT(size_t, AT(uintptr_t, pages + vm->partitions + vm->partition_list) + i * Z_VALUE_BYTES +
            vm->partition_used);
    return used;
}

static uint64_t used_in_shenandoah(void) {
    uintptr_t whole = vm->generation ? AT(uintptr_t, collected_heap() + vm->generation) : collected_heap();
    return AT(size_t, whole + vm->shenandoah_used);
}

uint64_t heap_used(void) {
    static const struct {
        const char *collector;
        enum hotspot_use use;
        uint64_t (*used)(void);
    } heaps[] = {{"Serial", USE_SERIAL, used_in_serial},
                 {"Parallel", USE_PARALLEL, used_in_parallel},
                 {"G1", USE_G1, used_in_g1},
                 {"ZGC", USE_ZGC, used_in_z},
                 {"Shenandoah", USE_SHENANDOAH, used_in_shenandoah}};
    for (size_t i = 0; vm->on[USE_COLLECTION_ID] && i < sizeof heaps / sizeof *heaps; i++)
        if (vm->on[heaps[i].use] && strcmp(heaps[i].collector, gc) == 0) return heaps[i].used();
    return 0;
}

bool counters_switched_off(void) { return vm->on[USE_COUNTERS] && !AT(int, vm->counters_ready); }

const void *performance_counter(const char *name) {
    uintptr_t memory = vm->on[USE_COUNTERS] && AT(int, vm->counters_ready) ? AT(uintptr_t, vm->counters) : 0;
    if (!memory) return NULL;
    uintptr_t entry = memory + (uintptr_t)AT(int, memory + vm->first_counter);
    for (int n = AT(int, memory + vm->counter_count); n > 0; n--) {
        if (strcmp((const char *)(entry + (uintptr_t)AT(int, entry + vm->counter_name)), name) == 0)
            return (const void *)(entry + (uintptr_t)AT(int, entry + vm->counter_value));
        entry += (uintptr_t)AT(int, entry + vm->counter_bytes);
    }
    return NULL;
}
