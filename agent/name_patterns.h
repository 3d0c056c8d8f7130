/* Which classes users mean by a pattern: as profile.MatchName has it, which README explains. */
#ifndef MALLARD_NAME_PATTERNS_H
#define MALLARD_NAME_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

/* A name, or a pattern, without an end. */
struct name {
    const char *text;
    size_t length;
};

/* Whether a pattern, or one of several between commas, selects a class by the JVM's name for it. Of names that are too
 * long for Java nothing is selected. */
bool selects_class(struct name patterns, struct name class);

#endif
