/* Contents of objects as bytes, for people to read (package abi, "What a value is"), whoever reads the objects. */
#ifndef MALLARD_VALUES_H
#define MALLARD_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct value_writer {
    unsigned char *to, *end; /* behind which there is one byte more */
    bool cut;                /* something had no room, and nothing is written behind it */
};

/* Into so many bytes, 1 and more. */
struct value_writer begin_value(unsigned char *to, size_t capacity);

/* Says what was cut, and gives how many bytes there are from their beginning on. */
uint32_t end_value(struct value_writer *w, const unsigned char *start);

void put_letter(struct value_writer *w, unsigned char letter);
void cut_value(struct value_writer *w);

/* A letter and a name, cut to ABI_REPLICA_VALUE_NAME; false where these and so many bytes behind them have no room. */
bool put_name(struct value_writer *w, unsigned char letter, const char *name, size_t length, uint32_t more);

/* An object that has its class and its identity hash for contents. */
void put_identity(struct value_writer *w, const char *class, size_t length, uint32_t identity);

/* Behind put_name: the value of a field whose type is no reference, of so many bytes. */
void put_primitive(struct value_writer *w, char type, const void *value, uint32_t width);

/* The head of an array whose elements have a type, and a width in bytes. Gives how many elements follow: references,
 * as far as they have room, or so many numbers, which have room at w->to. */
uint32_t begin_elements(struct value_writer *w, char type, uint32_t width, uint32_t length);

/* Whether a class, in internal form, is one whose objects are shown however deep they are: these have no more to them
 * than what people take for their value. */
bool is_plain(const char *class, size_t length);

static inline bool is_reference_type(char type) { return type == 'L' || type == '['; }

#endif
