package stacktest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"mallard/internal/profile"
)

// oneOfMany objects at most may have unknown callers, and some in any case: what has none is compared with nothing.
const (
	oneOfMany = 1000
	someAlone = 20
)

// mostNamed is how many methods a failure names.
const mostNamed = 10

// CheckCallers fails the test if more than one of a thousand objects that a recording has is of a method whose callers
// are not known. What it lets pass it logs.
func CheckCallers(t *testing.T, p *profile.Profile) {
	t.Helper()
	unknown, all := map[string]int64{}, int64(0)
	for sample := range p.Samples(profile.Filter{}) {
		all += sample.Amount.Objects
		if frames := p.Stack(sample.Site, sample.Context); frames[len(frames)-1].Class == "" {
			unknown[sample.Site.Class+"."+sample.Site.Method] += sample.Amount.Objects
		}
	}
	var sum int64
	var most []string
	for _, method := range slices.SortedFunc(maps.Keys(unknown), func(a, b string) int {
		return cmp.Or(cmp.Compare(unknown[b], unknown[a]), strings.Compare(a, b))
	}) {
		objects := unknown[method]
		sum += objects
		if len(most) < mostNamed && objects != 0 {
			most = append(most, fmt.Sprintf("%d in %s", objects, method))
		}
	}
	if sum > someAlone && sum > all/oneOfMany {
		t.Errorf("the callers of what made %d of %d objects are unknown: %s", sum, all, strings.Join(most, ", "))
	}
}
