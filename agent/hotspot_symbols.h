/* What libjvm does not export. Only hotspot*.c include this. */
#ifndef MALLARD_HOTSPOT_SYMBOLS_H
#define MALLARD_HOTSPOT_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/* Where the symbols with these names (mangled, as the linker has them) are, in one pass over libjvm's file; 0: there is
 * none, or the file has been stripped of its symbols. */
void find_symbols(const char *const *names, uintptr_t *to, size_t n);

#endif
