package contexts_test

import (
	"slices"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile/stacktest"
)

// TestEpochs compares stacks with the JVM's while calls get other constants all the time: through recursion,
// exceptions, threads that change carriers, classes that are loaded and unloaded, and calls out of native code.
func TestEpochs(t *testing.T) {
	mallardtest.ManyEpochs(t)
	programs := []string{"Initializers", "Lambdas", "NestedExceptions", "Pools", "Recursion", "UnloadedClasses",
		"VirtualThreads"}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, program := range jvmtest.Programs(t) {
			i := slices.Index(programs, program.Name)
			if i < 0 || !jvmtest.IsTurn(t, jdk, i) && program.MinJDK <= jvmtest.JDKs(t)[0].Feature {
				continue
			}
			t.Run(program.Name, func(t *testing.T) {
				stacktest.Run(t, jdk, program.Command(t, jdk), []string{"--contexts", "encoded"},
					func(trace []string) bool {
						return slices.ContainsFunc(trace, func(frame string) bool {
							return program.Declares(stacktest.ClassOf(frame))
						})
					})
			})
		}
	})
}
