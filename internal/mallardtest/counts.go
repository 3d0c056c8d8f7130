package mallardtest

import (
	"fmt"
	"slices"

	"mallard/internal/jvmtest"
	"mallard/internal/profile"
)

// CodeLocation is a place in a method.
type CodeLocation struct {
	Class, Method string
	BCI           int
}

// AddSite sums by name: a class may have been loaded many times. Bytes of Larger ones are left out.
func AddSite(sites map[string]jvmtest.Counts, class, method string, bci, line int, allocated string,
	counts jvmtest.Counts) {
	key := fmt.Sprintf("%s.%s:%d (line %d) %s", class, method, bci, line, allocated)
	sum := sites[key]
	sum.Objects += counts.Objects
	sum.Elements += counts.Elements
	if !slices.Contains(Larger, allocated) {
		sum.Bytes += counts.Bytes
	}
	sites[key] = sum
}

func Counted(a profile.Amount) jvmtest.Counts {
	return jvmtest.Counts{Objects: a.Objects, Bytes: a.Bytes, Elements: a.Elements}
}

// Larger are classes whose objects are Larger under Mallard, by the fields that it adds to Thread.
var Larger = []string{"java.lang.Thread", "ManyThreads$Task"}
