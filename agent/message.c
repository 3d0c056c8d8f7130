/* Fields of messages, little-endian as the processors are that HotSpot's layouts are known for. */
#include "message.h"

#include <stdlib.h>
#include <string.h>

bool reserve(struct message *m, size_t capacity) {
    if (m->failed || m->capacity >= capacity) return !m->failed;
    unsigned char *data = realloc(m->data, capacity);
    m->failed = !data;
    if (!data) return false;
    m->data = data;
    m->capacity = capacity;
    return true;
}

void put_data(struct message *m, const void *data, size_t size) {
    if (m->capacity - m->size < size && !reserve(m, (m->size + size) * 2 + 64)) return;
    if (m->failed || size == 0) return;
    memcpy(m->data + m->size, data, size);
    m->size += size;
}

void put_u32(struct message *m, uint32_t v) { put_data(m, &v, sizeof v); }
void put_u64(struct message *m, uint64_t v) { put_data(m, &v, sizeof v); }

void put_bytes(struct message *m, struct bytes b) {
    put_u32(m, (uint32_t)b.size);
    put_data(m, b.data, b.size);
}

void put_string(struct message *m, const char *s) { put_bytes(m, (struct bytes){s, s ? strlen(s) : 0}); }

void put_rest(struct message *m, struct message *records) {
    if (!records) return;
    if (records->failed) m->failed = true;
    put_data(m, records->data, records->size);
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
