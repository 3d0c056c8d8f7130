/* Bytes that the VM counts for its threads (Thread::cooked_allocated_bytes): what they used of allocation buffers and what they allocated
 * outside of them. Buffers' unused ends are not in it. Threads are looked at where they are stopped, or by themselves. */
#include "agent.h"

static struct {
    bool found;
    size_t bytes, buffer, start, top;   /* of finished buffers; the current one, where it starts and has come to */
    bool ending_found;
    size_t ending;                      /* whether a thread has begun to end; that one has told its bytes */
    int not_ending;
    char **list;                        /* of all Java threads, those of the compilers included */
    size_t length, threads;
} vm;

void find_allocated(void *library) {
    struct field bytes = find_field(library, "Thread", "_allocated_bytes"), buffer = find_field(library, "Thread", "_tlab");
    struct field start = find_field(library, "ThreadLocalAllocBuffer", "_start"), top = find_field(library, "ThreadLocalAllocBuffer", "_top");
    struct field list = find_field(library, "ThreadsSMRSupport", "_java_thread_list");
    struct field length = find_field(library, "ThreadsList", "_length"), threads = find_field(library, "ThreadsList", "_threads");
    struct field ending = find_field(library, "JavaThread", "_terminated");
    vm.bytes = bytes.offset;
    vm.buffer = buffer.offset;
    vm.start = start.offset;
    vm.top = top.offset;
    vm.list = list.address;
    vm.length = length.offset;
    vm.threads = threads.offset;
    vm.ending = ending.offset;
    vm.ending_found = ending.found && find_constant(library, "JavaThread::_not_terminated", &vm.not_ending);
    vm.found = bytes.found && buffer.found && start.found && top.found && list.found && length.found && threads.found;
}

static uint64_t allocated_in(const char *thread) {
    uint64_t bytes = *(const uint64_t *)(const void *)(thread + vm.bytes);
    uintptr_t start = *(const uintptr_t *)(const void *)(thread + vm.buffer + vm.start), top = *(const uintptr_t *)(const void *)(thread + vm.buffer + vm.top);
    return top > start ? bytes + (top - start) : bytes;
}

uint64_t allocated_by(JNIEnv *env, jthread t) {
    if (!vm.found || !agent.vm_field) return 0;
    jlong thread = (*env)->GetLongField(env, t, agent.vm_field);
    return thread ? allocated_in((const char *)(uintptr_t)thread) : 0;
}

uint64_t allocated_by_all(void) {
    uint64_t sum = 0;
    if (!vm.found || !*vm.list) return 0;
    uint32_t n = *(const uint32_t *)(const void *)(*vm.list + vm.length);
    char *const *threads = *(char *const *const *)(const void *)(*vm.list + vm.threads);
    for (uint32_t i = 0; i < n; i++)
        if (!vm.ending_found || *(const int *)(const void *)(threads[i] + vm.ending) == vm.not_ending) sum += allocated_in(threads[i]);
    return sum;
}
