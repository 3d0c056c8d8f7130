/* Writing values, with bounds. */
#include "values.h"

#include <string.h>

#include "abi.h"
#include "leb128.h"

struct value_writer begin_value(unsigned char *to, size_t capacity) {
    return (struct value_writer){.to = to, .end = to + capacity - 1};
}

uint32_t end_value(struct value_writer *w, const unsigned char *start) {
    if (w->cut && (w->to == start || w->to[-1] != ABI_VALUE_CUT)) *w->to++ = ABI_VALUE_CUT;
    return (uint32_t)(w->to - start);
}

/* Whether so many bytes have room. */
static bool has_room(struct value_writer *w, uint64_t bytes) {
    w->cut |= (uint64_t)(w->end - w->to) < bytes;
    return !w->cut;
}

void put_letter(struct value_writer *w, unsigned char letter) {
    if (has_room(w, 1)) *w->to++ = letter;
}

void cut_value(struct value_writer *w) {
    put_letter(w, ABI_VALUE_CUT);
    w->cut = true;
}

bool put_name(struct value_writer *w, unsigned char letter, const char *name, size_t length, uint32_t more) {
    size_t n = length < ABI_REPLICA_VALUE_NAME ? length : ABI_REPLICA_VALUE_NAME;
    if (!has_room(w, 1 + LEB128_BYTES + n + more)) return false;
    *w->to++ = letter;
    w->to = put_leb128(w->to, n);
    memcpy(w->to, name, n);
    w->to += n;
    return true;
}

void put_identity(struct value_writer *w, const char *class, size_t length, uint32_t identity) {
    if (!put_name(w, ABI_VALUE_OBJECT, class, length, sizeof identity)) return;
    memcpy(w->to, &identity, sizeof identity);
    w->to += sizeof identity;
}

void put_primitive(struct value_writer *w, char type, const void *value, uint32_t width) {
    if (!has_room(w, 1 + width)) return;
    *w->to++ = (unsigned char)type;
    memcpy(w->to, value, width);
    w->to += width;
}

uint32_t begin_elements(struct value_writer *w, char type, uint32_t width, uint32_t length) {
    const uint32_t head = 2 + 2 * LEB128_BYTES;
    bool references = is_reference_type(type);
    uint32_t n = length < ABI_REPLICA_VALUE_ELEMENTS ? length : ABI_REPLICA_VALUE_ELEMENTS;
    if (!has_room(w, head)) return 0;
    uint64_t room = ((uint64_t)(w->end - w->to) - head) / width;
    if (!references && room < n) n = (uint32_t)room;
    *w->to++ = ABI_VALUE_ARRAY;
    *w->to++ = (unsigned char)(references ? 'L' : type);
    w->to = put_leb128(put_leb128(w->to, length), n);
    return n;
}

bool is_plain(const char *class, size_t length) {
    static const char *const names[] = {"java/lang/String", "java/lang/Integer", "java/lang/Long", "java/lang/Double",
        "java/lang/Float", "java/lang/Boolean", "java/lang/Character", "java/lang/Byte", "java/lang/Short"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], class, length) == 0) return true;
    return false;
}
