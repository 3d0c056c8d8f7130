/* What the recorder has said about stacks that keep coming up: exceptions that the VM makes in a loop, what it calls
 * there. In one tree the same stack, in the same transaction, is the same context, whichever of the threads that have
 * the tree one after the other it is of. */
#include "agent.h"

enum {
    STACKS = 1 << 13,
    /* answers before one is recalled: the recorder may say that it need not be asked again, which is faster still */
    OFTEN = 4,
    AGAIN = 1 << 10 /* once in so many times it is asked nevertheless, for the same reason */
};

static struct {
    struct stack_key key;
    uint64_t node;
    uint32_t asked, recalled;
} stacks[STACKS]; /* by the key; one takes another's place */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* 128 bits stand for the stack: two of a million are taken for one once in 10^26 runs. */
struct stack_key key_of_stack(uint64_t tree, uint64_t transaction, uint32_t method, const jvmtiFrameInfo *frames,
    jint count) {
    struct stack_key key = {mix(mix(tree, method), transaction),
        mix(mix(method, tree ^ 0xd1342543de82ef95u), transaction)};
    for (jint i = 0; i < count; i++) {
        uint64_t name = (uint64_t)(uintptr_t)frames[i].method, at = (uint64_t)frames[i].location;
        key.high = mix(mix(key.high, name), at);
        key.low = mix(mix(key.low, at ^ 0xd1342543de82ef95u) + name, name);
    }
    return key;
}

uint64_t cached_node(struct stack_key key) {
    uint64_t node = 0;
    pthread_mutex_lock(&lock);
    size_t i = key.high % STACKS;
    if (stacks[i].key.high == key.high && stacks[i].key.low == key.low && stacks[i].asked >= OFTEN &&
        ++stacks[i].recalled % AGAIN != 0) node = stacks[i].node;
    pthread_mutex_unlock(&lock);
    return node;
}

void cache_node(struct stack_key key, uint64_t node) {
    pthread_mutex_lock(&lock);
    size_t i = key.high % STACKS;
    if (stacks[i].key.high != key.high || stacks[i].key.low != key.low) stacks[i].asked = stacks[i].recalled = 0;
    stacks[i].key = key;
    stacks[i].node = node & ~(uint64_t)7; /* a multiple of 8; what else the answer says is not true of the next one */
    if (stacks[i].asked < OFTEN) stacks[i].asked++;
    pthread_mutex_unlock(&lock);
}
