package jvm

import (
	"slices"
	"strings"
)

// toolOptions is the variable that every HotSpot reads options from (JVMTI specification, "The JAVA_TOOL_OPTIONS
// Environment Variable"). The JVM says on stderr that it did.
const toolOptions = "JAVA_TOOL_OPTIONS"

// Variable is the value of an environment's variable, "" for none.
func Variable(environment []string, name string) string {
	for _, v := range environment {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// WithVariable gives an environment with a variable changed, or without it for "".
func WithVariable(environment []string, name, value string) []string {
	i := slices.IndexFunc(environment, func(v string) bool { return strings.HasPrefix(v, name+"=") })
	switch {
	case value == "" && i < 0:
		return environment
	case value == "":
		return slices.Delete(slices.Clone(environment), i, i+1)
	case i < 0:
		return append(slices.Clone(environment), name+"="+value)
	}
	environment = slices.Clone(environment)
	environment[i] = name + "=" + value
	return environment
}
