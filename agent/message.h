/* Messages: built in memory field by field, and answers read field by field. build/abi.h, which is printed from package
 * internal/abi, has a struct and a function for each message; these are what they are made of. */
#ifndef MALLARD_MESSAGE_H
#define MALLARD_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct message {
    unsigned char *data; /* malloc's */
    size_t size, capacity;
    bool failed; /* no memory; sending it does nothing */
};

/* Records, and how many. */
struct list {
    uint32_t count;
    struct message records;
};

struct bytes {
    const void *data;
    size_t size;
};

bool reserve(struct message *m, size_t capacity); /* false, with m failed, without memory */
void put_data(struct message *m, const void *data, size_t size);
void put_u32(struct message *m, uint32_t v);
void put_u64(struct message *m, uint64_t v);
void put_bytes(struct message *m, struct bytes b);         /* with their length */
void put_string(struct message *m, const char *s);         /* the same; NULL is empty */
void put_list(struct message *m, struct list *l);          /* takes and frees its memory; NULL has none */
void put_rest(struct message *m, struct message *records); /* the same without a number */
void free_message(struct message *m);                      /* as if it had never been */

/* What begins with a field; false where that is cut off. */
bool get_u32(struct bytes *from, uint32_t *v);
bool get_u64(struct bytes *from, uint64_t *v);
bool get_bytes(struct bytes *from, struct bytes *b); /* in the answer's memory */

#endif
