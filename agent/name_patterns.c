/* Names of classes as Java writes them, and patterns for them. */
#include "name_patterns.h"

#include <string.h>

enum { MOST_NAME = 4096 };

static bool has(struct name n, char c) { return memchr(n.text, c, n.length) != NULL; }

/* In which * stands for any run of characters, for the whole of a name. */
static bool matches_whole(struct name pattern, struct name name) {
    size_t p = 0, n = 0, star = pattern.length, from = 0;
    while (n < name.length) {
        if (p < pattern.length && pattern.text[p] == '*') {
            star = p++;
            from = n;
        } else if (p < pattern.length && pattern.text[p] == name.text[n]) {
            p++;
            n++;
        } else if (star < pattern.length) {
            p = star + 1;
            n = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.length && pattern.text[p] == '*') p++;
    return p == pattern.length;
}

/* Whether parts stand in a name between dots, or at its ends. */
static bool has_parts(struct name name, struct name parts) {
    for (size_t at = 0; at + parts.length <= name.length; at++) {
        size_t end = at + parts.length;
        if ((at == 0 || name.text[at - 1] == '.') && (end == name.length || name.text[end] == '.') &&
            memcmp(name.text + at, parts.text, parts.length) == 0)
            return true;
    }
    return false;
}

/* What is behind the last dot. */
static struct name last_part(struct name n) {
    size_t from = n.length;
    while (from > 0 && n.text[from - 1] != '.') from--;
    return (struct name){n.text + from, n.length - from};
}

static bool matches(struct name pattern, struct name name) {
    if (!has(pattern, '*')) return has_parts(name, pattern);
    return matches_whole(pattern, name) || (!has(pattern, '.') && matches_whole(pattern, last_part(name)));
}

static const char *primitive(char type) {
    switch (type) {
    case 'Z': return "boolean";
    case 'B': return "byte";
    case 'C': return "char";
    case 'S': return "short";
    case 'I': return "int";
    case 'J': return "long";
    case 'F': return "float";
    }
    return "double";
}

/* [[I is int[][], [Ljava/lang/String; is java.lang.String[]. Gives the length; 0: there is no room. */
static size_t java_name(struct name class, char *to, size_t room) {
    size_t dimensions = 0, n = 0;
    while (dimensions < class.length && class.text[dimensions] == '[') dimensions++;
    struct name of = {class.text + dimensions, class.length - dimensions};
    if (dimensions > 0 && of.length > 1)
        of = (struct name){of.text + 1, of.length - 2}; /* L and ; */
    else if (dimensions > 0 && of.length == 1)
        of = (struct name){primitive(*of.text), strlen(primitive(*of.text))};
    if (of.length + 2 * dimensions > room) return 0;
    for (; n < of.length; n++) to[n] = of.text[n] == '/' ? '.' : of.text[n];
    for (; dimensions > 0; dimensions--) {
        to[n++] = '[';
        to[n++] = ']';
    }
    return n;
}

bool selects_class(struct name patterns, struct name class) {
    char text[MOST_NAME];
    struct name name = {text, java_name(class, text, sizeof text)};
    for (size_t from = 0, to; name.length > 0 && from < patterns.length; from = to + 1) {
        for (to = from; to < patterns.length && patterns.text[to] != ',';) to++;
        struct name one = {patterns.text + from, to - from};
        while (one.length > 0 && *one.text == ' ') one = (struct name){one.text + 1, one.length - 1};
        while (one.length > 0 && one.text[one.length - 1] == ' ') one.length--;
        if (one.length > 0 && matches(one, name)) return true;
    }
    return false;
}
