/* Parameters of methods, which older JVMs do not hand over with a class that they retransform. */
#ifndef MALLARD_HOTSPOT_PARAMETERS_H
#define MALLARD_HOTSPOT_PARAMETERS_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* One of them, with the number that its name has in the constant pool of the class (0: it has none). */
struct method_parameter {
    uint16_t name, flags;
};

/* Whether this JVM has them, and does not hand them over. */
bool has_parameters_apart(void);

/* How many the VM has kept of a method; 0 for most. The list is the VM's, as long as the class is not redefined. */
uint32_t method_parameters(jmethodID m, const struct method_parameter **list);

#endif
