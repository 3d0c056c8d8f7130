/* What the program inherits to the JVMs that it starts. */
#include "agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A shim gives this JVM the agent as an argument, and takes it out of JAVA_TOOL_OPTIONS, so that the JVM has nothing to
 * say (internal/shim). It goes back there before the program can see its environment; options say so. */
void restore_tool_options(const char *options) {
    const char *variable = "JAVA_TOOL_OPTIONS", *ours = getenv("MALLARD_TOOL_OPTIONS"), *theirs = getenv(variable);
    char *both = NULL;
    if (!ours || !strstr(options, ",restore")) return;
    if (asprintf(&both, "%s%s%s", ours, theirs ? " " : "", theirs ? theirs : "") < 0) return;
    setenv(variable, both, 1);
    free(both);
}
