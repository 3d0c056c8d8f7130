/* Memory of our own that is large, and mostly not used: not static, which would count in all JVMs that limit their
 * address space. */
#include "pages.h"

#include <sys/mman.h>
#include <sys/resource.h>

/* Where the data of a process are limited (ulimit -d), what could be written to counts, but for memory that could be
 * shared. That is slower to come by. */
static int ownership(void) {
    struct rlimit data;
    return getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY ? MAP_SHARED : MAP_PRIVATE;
}

void *zero_pages(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, ownership() | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    madvise(memory, bytes, MADV_DONTFORK);
    return memory;
}

void free_pages(void *memory, size_t bytes) {
    if (memory) munmap(memory, bytes);
}
