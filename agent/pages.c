/* Memory of our own that is large, and mostly not used: not static, which would count in all JVMs that limit their
 * address space. */
#include "pages.h"

#include <sys/mman.h>

void *zero_pages(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void free_pages(void *memory, size_t bytes) {
    if (memory) munmap(memory, bytes);
}
