package truth_test

import "testing"

// TestFactories: call sites that a program gets by calling StringConcatFactory and LambdaMetafactory itself, and
// handles of Object.clone. Without contexts what they make is counted where they are called; String.valueOf, which
// conversions call, counts by itself.
func TestFactories(t *testing.T) { testReflected(t, "Factories", "Conversions") }
