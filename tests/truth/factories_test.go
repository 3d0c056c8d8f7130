package truth_test

import (
	"testing"

	"mallard/internal/jvmtest"
)

// TestFactories: call sites that a program gets by calling StringConcatFactory and LambdaMetafactory itself, and
// handles of Object.clone. Without contexts what they make is counted where they are called.
func TestFactories(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, run := range reflectedRuns {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(run.name, func(t *testing.T) {
				probes, p := runProbes(t, jdk, "Factories", nil, run.java, run.flags...)
				for _, probe := range probes {
					probe.compare(t, p, true)
					if run.flags == nil && probe.name != "Conversions" { // String.valueOf counts by itself
						probe.compareOwners(t, p, "Factories")
					}
				}
			})
		}
	})
}
