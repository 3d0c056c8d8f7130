/* Memory of our own that is large, and mostly not used. */
#ifndef MALLARD_PAGES_H
#define MALLARD_PAGES_H

#include <stddef.h>

/* Memory that is zero, and takes as many pages as are used. NULL: there is none. */
void *zero_pages(size_t bytes);

/* Gives all of it back. NULL is nothing. */
void free_pages(void *memory, size_t bytes);

#endif
