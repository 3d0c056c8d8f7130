/* Strings that a program has made and interned. */
#ifndef MALLARD_INTERNED_H
#define MALLARD_INTERNED_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FIRST_HASH = 0x11C9DC5 };

/* VMStart, before the first bytecode: has String.intern replaced. */
void start_watching_interned(void);

/* Goes on with a hash, which begins with FIRST_HASH, over characters of a string: one byte each, or two. */
uint32_t hash_of_text(uint32_t hash, const void *text, size_t units, bool wide);

/* Any thread. Whether a string with such a hash was there when the program interned one that it had made, or may have
 * been. */
bool was_interned(uint32_t hash);

#endif
