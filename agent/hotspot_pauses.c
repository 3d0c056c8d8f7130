/* Whether a pause may bring a full collection, which moves objects in a way that makes their headers anew (keep_tag).
 *
 * G1 announces each collection by itself, and says why there is one before it does: a full one behind a young one is
 * another. So do Serial and Parallel on newer JDKs. On older ones they announce what a thread has asked for, of which
 * no more is known than what it is an operation of (vmOperations.hpp): all that a failed allocation leads to. They
 * begin with a young collection then, and all else depends on whether there is room in the old generation. */
#include "hotspot_pauses.h"

#include <string.h>

#include "hotspot.h"
#include "hotspot_stops.h"
#include "hotspot_symbols.h"
#include "hotspot_table.h"

/* Why there is a collection; NULL: the VM does not say. "No GC": it has not said yet. */
static const char *cause;

static bool g1, serial, adapts;
static double newest_weight, padding; /* of the averages that Parallel adapts by: flags */
static const int64_t *young_collections;
static const int64_t *promoted;   /* Parallel: what it takes to be promoted the next time, at most */
static uintptr_t operation;       /* where the VM has what it does now; 0: not known */
static uintptr_t for_allocation;  /* the virtual methods of what is done when an allocation has failed */

enum { VIRTUAL_METHODS = 16, SOME = 1 << 16 /* bytes */ };

/* Serial's and Parallel's (GenCollectedHeap, SerialHeap, ParallelScavengeHeap), by the names of JDK 17 and of newer
 * ones. */
static void find_operations(void) {
    static const char *const names[] = {"_ZN8VMThread17_cur_vm_operationE",
        "_ZTV26VM_GenCollectForAllocation", "_ZTV29VM_SerialCollectForAllocation",
        "_ZTV29VM_ParallelGCFailedAllocation", "_ZTV31VM_ParallelCollectForAllocation"};
    uintptr_t at[sizeof names / sizeof *names];
    find_symbols(names, at, sizeof names / sizeof *names);
    size_t own = serial ? 1 : 3;
    for_allocation = at[own] ? at[own] : at[own + 1];
    operation = for_allocation ? at[0] : 0;
}

void find_pauses(void) {
    const char *gc = collector();
    g1 = strcmp(gc, "G1") == 0;
    serial = strcmp(gc, "Serial") == 0;
    adapts = flag_set("UseAdaptiveSizePolicy");
    newest_weight = flag_number("AdaptiveSizePolicyWeight", 100) / 100;
    padding = flag_number("PromotedPadding", 3);
    cause = performance_counter("sun.gc.cause");
    young_collections = performance_counter("sun.gc.collector.0.invocations");
    promoted = performance_counter("sun.gc.policy.avgPromotedPaddedAvg");
    if (!g1 && find_stops()) find_operations();
}

static bool is_cause(const char *const *list, size_t n) {
    for (size_t i = 0; cause && i < n; i++)
        if (strcmp(cause, list[i]) == 0) return true;
    return false;
}

/* G1 has no cause yet where it is asked to make room for metadata, which is a full collection only where there is no
 * more to be had. */
static bool g1_may_collect_all(void) {
    static const char *const young[] = {"G1 Evacuation Pause", "G1 Humongous Allocation", "G1 Preventive Collection",
        "GCLocker Initiated GC"};
    static const char *const metadata[] = {"No GC", "Metadata GC Threshold"};
    if (is_cause(young, sizeof young / sizeof *young)) return false;
    return !is_cause(metadata, sizeof metadata / sizeof *metadata) || !metadata_has_room();
}

/* Whether the VM has said why. Then it announces what it is about to do, and not all that somebody has asked for. */
static bool is_said(void) {
    static const char *const unknown[] = {"No GC"};
    return cause && !is_cause(unknown, 1);
}

static bool is_for_allocation(void) {
    static const char *const failed[] = {"Allocation Failure"};
    if (is_said()) return is_cause(failed, 1);
    uintptr_t now = operation ? AT(uintptr_t, operation) : 0;
    return now && AT(uintptr_t, now) == for_allocation + VIRTUAL_METHODS;
}

/* How much Parallel may take to be promoted the next time, at most, when this collection has promoted up to so many
 * bytes: an average, and a multiple of how far single values are from it, in which this one has a weight
 * (AdaptivePaddedAverage). */
static double may_be_promoted(double used) {
    double count = young_collections ? (double)*young_collections + 1 : 1;
    double weight = newest_weight < 1 / count ? 1 / count : newest_weight, before = (double)*promoted;
    double most = used > before ? used : before;
    return before * (1 - weight) + most * weight * (1 + padding * (1 - weight));
}

/* Whether a young collection has room for all that it finds, however much of it lives, and leaves as much as is needed
 * for there to be no full one. */
static bool young_is_enough(void) {
    struct generations now = serial ? serial_generations() : parallel_generations();
    double used = (double)(now.eden + now.survivors) + SOME, left = (double)now.old_free - used;
    if (serial || is_said()) return left > 0;
    return adapts && promoted && left > may_be_promoted(used);
}

bool may_collect_all(void) {
    static int64_t before;
    if (g1) return g1_may_collect_all();
    int64_t stops = world_stops();
    bool first = stops >= 0 && stops != before; /* of this stop of the world: what comes behind it may be a full one */
    before = stops;
    return !first || !is_for_allocation() || !young_is_enough();
}
