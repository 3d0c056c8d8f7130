/* Which strings a program has interned that it has made itself. The VM makes none where a class has such a string for a
 * constant, or a name: at the end these are not the VM's (hotspot_classes.c).
 *
 * One bit stands for all strings of a hash, so that what another one has set it for is taken for the program's, too:
 * no string counts twice, and some count where nobody knows their site. */
#include "interned.h"

#include <stdatomic.h>

#include "binding.h"

enum { HASHES = 1 << 22, PIECE = 256 };

static _Atomic uint64_t seen[HASHES / 64];

static jstring(JNICALL *intern_as_is)(JNIEnv *, jstring);

uint32_t hash_of_text(uint32_t hash, const void *text, size_t units, bool wide) {
    const uint16_t *characters = text;
    const unsigned char *bytes = text;
    for (size_t i = 0; i < units; i++) hash = (hash ^ (wide ? characters[i] : bytes[i])) * 16777619U;
    return hash;
}

static uint32_t bit_of(uint32_t hash) { return (hash ^ hash >> 22) & (HASHES - 1); }

static void remember(JNIEnv *env, jstring string) {
    jchar piece[PIECE];
    uint32_t hash = FIRST_HASH;
    jsize length = (*env)->GetStringLength(env, string);
    for (jsize from = 0; from < length; from += PIECE) {
        jsize n = length - from < PIECE ? length - from : PIECE;
        (*env)->GetStringRegion(env, string, from, n, piece);
        hash = hash_of_text(hash, piece, (size_t)n, true);
    }
    uint32_t bit = bit_of(hash);
    uint64_t mask = UINT64_C(1) << bit % 64;
    if (!(atomic_load_explicit(&seen[bit / 64], memory_order_relaxed) & mask)) atomic_fetch_or(&seen[bit / 64], mask);
}

bool was_interned(uint32_t hash) {
    uint32_t bit = bit_of(hash);
    return atomic_load(&seen[bit / 64]) >> bit % 64 & 1;
}

/* java.lang.String.intern. It gives the string itself where that is the first of its text. */
static jstring JNICALL intern(JNIEnv *env, jstring string) {
    jstring interned = intern_as_is(env, string);
    if (interned && (*env)->IsSameObject(env, string, interned)) remember(env, string);
    return interned;
}

static native_code *replace_intern(native_code *found) {
    intern_as_is = (jstring(JNICALL *)(JNIEnv *, jstring))found;
    return (native_code *)&intern;
}

void start_watching_interned(void) {
    replace_native("Ljava/lang/String;", "intern", "()Ljava/lang/String;", replace_intern);
}
