/* The part of the agent that takes hashes apart, for Cases. */
#include <jni.h>

#include "callees.h"
#include "hashes.h"

enum { FIND, PLACE, CALLEE };

/* The node that the agent finds, along the stack or by all of it, 0 where the recorder has to be asked; or that it finds
 * or makes in a slot, of which the entry stands in place of a hash. Addresses come first, then offsets. */
JNIEXPORT jlong JNICALL Java_Cases_find(JNIEnv *env, jclass cases, jlong nodes, jlong block, jlong methods, jlong calls,
    jlong first, jlong frames, jlong early, jlong hash, jint called, jint method, jint count, jint how) {
    (void)env, (void)cases;
    struct forest forest = {.nodes = (unsigned char *)nodes, .methods = (unsigned char *)methods,
        .calls = (unsigned char *)calls, .first = (_Atomic uint64_t *)first, .early = (uint64_t)early,
        .eager = (uint64_t)early};
    struct tree tree = {&forest, (uint64_t *)block};
    struct unknown unknown = {(uint64_t)hash, (uint32_t)called, (uint32_t)method};
    if (how == CALLEE) return (jlong)callee_or_child(&tree, unknown.hash, unknown.method);
    if (how == PLACE) return (jlong)place_stack(&tree, &unknown, (struct hashed_frame *)frames, count);
    int known;
    uint64_t node = called == COUNTS ? node_of_known_caller(&tree, unknown.hash, unknown.method) : 0;
    if (node == 0 && take_apart(&tree, &unknown, (struct hashed_frame *)frames, count, &known, &node) != TAKEN) return 0;
    return (jlong)node;
}
