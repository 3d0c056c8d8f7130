/* Fields of messages, little-endian as the processors are that HotSpot's layouts are known for. */
#include "message.h"

#include <stdlib.h>
#include <string.h>

static void put(struct message *m, const void *p, size_t n) {
    if (m->failed) return;
    if (m->capacity - m->size < n) {
        size_t capacity = (m->size + n) * 2 + 64;
        unsigned char *data = realloc(m->data, capacity);
        if (!data) {
            m->failed = true;
            return;
        }
        m->data = data;
        m->capacity = capacity;
    }
    if (n) memcpy(m->data + m->size, p, n);
    m->size += n;
}

void put_u32(struct message *m, uint32_t v) { put(m, &v, sizeof v); }
void put_u64(struct message *m, uint64_t v) { put(m, &v, sizeof v); }

void put_bytes(struct message *m, struct bytes b) {
    put_u32(m, (uint32_t)b.size);
    put(m, b.data, b.size);
}

void put_string(struct message *m, const char *s) { put_bytes(m, (struct bytes){s, s ? strlen(s) : 0}); }

void put_rest(struct message *m, struct message *records) {
    if (!records) return;
    if (records->failed) m->failed = true;
    put(m, records->data, records->size);
    free_message(records);
}

void put_list(struct message *m, struct list *l) {
    put_u32(m, l ? l->count : 0);
    if (!l) return;
    put_rest(m, &l->records);
    l->count = 0;
}

void free_message(struct message *m) {
    free(m->data);
    *m = (struct message){0};
}

static bool get(struct bytes *from, void *to, size_t n) {
    if (from->size < n) return false;
    memcpy(to, from->data, n);
    from->data = (const char *)from->data + n;
    from->size -= n;
    return true;
}

bool get_u32(struct bytes *from, uint32_t *v) { return get(from, v, sizeof *v); }
bool get_u64(struct bytes *from, uint64_t *v) { return get(from, v, sizeof *v); }

bool get_bytes(struct bytes *from, struct bytes *b) {
    uint32_t size;
    if (!get_u32(from, &size) || size > from->size) return false;
    *b = (struct bytes){from->data, size};
    from->data = (const char *)from->data + size;
    from->size -= size;
    return true;
}
