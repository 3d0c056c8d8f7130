/* What a JVM does not hand over with a class that it retransforms (JDK-8240908, mended in JDK 20): the parameters of
 * its methods (JVMS 4.7.24). They stand at the end of what is constant of a method (ConstMethod), before the generic
 * signature's index, where there is one, and a pointer for each kind of annotations that it has (constMethod.hpp). */
#include "hotspot_parameters.h"

#include "hotspot_table.h"

bool has_parameters_apart(void) {
    const struct hotspot *vm = hotspot_entries();
    return vm->on[USE_PARAMETERS] && vm->has_parameters;
}

/* A method's number in JVMTI and JNI leads to it by one step. */
static uintptr_t constant_part(jmethodID m) {
    uintptr_t method = AT(uintptr_t, (uintptr_t)m);
    return method ? AT(uintptr_t, method + hotspot_entries()->const_method) : 0;
}

uint32_t method_parameters(jmethodID m, const struct method_parameter **list) {
    const struct hotspot *vm = hotspot_entries();
    uintptr_t constant = constant_part(m);
    uint16_t flags = constant ? AT(uint16_t, constant + vm->const_flags) : 0;
    if (!(flags & vm->has_parameters)) return 0;
    uintptr_t end = constant + (uintptr_t)AT(int, constant + vm->const_words) * sizeof(uintptr_t);
    for (size_t i = 0; i < sizeof vm->has_annotations / sizeof *vm->has_annotations; i++)
        if (flags & vm->has_annotations[i]) end -= sizeof(uintptr_t);
    if (flags & vm->has_signature) end -= sizeof(uint16_t);
    uint16_t count = AT(uint16_t, end - sizeof count);
    if (count > UINT8_MAX) return 0; /* JVMS */
    *list = (const struct method_parameter *)(end - sizeof count) - count;
    return count;
}
