package export

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"mallard/internal/profile"
)

// allocationFrame marks a frame that is an allocated type, as async-profiler
// does, so that flame graphs give it a colour of its own.
const allocationFrame = "_[i]"

// Collapsed says what goes into collapsed stacks. The zero value counts
// objects and leaves threads and lines out.
type Collapsed struct {
	Sort    profile.Sort // what the numbers are: objects or bytes
	Threads bool         // a frame for the thread comes first
	Lines   bool         // method frames have the line: HashMap.resize:704
	Filter  profile.Filter
}

// Write writes collapsed stacks, the input of flame graph tools, one per line
// in order of their text:
//
//	[main];java/util/HashMap.newNode;java.util.HashMap$Node_[i] 1024
//
// Stacks whose sum is not positive, which are left over in recordings without
// a last snapshot, have no place in a flame graph; omitted says how many.
func (c Collapsed) Write(w io.Writer, p *profile.Profile) (omitted int, err error) {
	sums := map[string]int64{}
	for sample := range p.Samples(c.Filter) {
		value := sample.Amount.Objects
		if c.Sort == profile.SortBytes {
			value = sample.Amount.Bytes
		}
		sums[c.stack(sample)] += value
	}
	out := bufio.NewWriter(w)
	for _, stack := range slices.Sorted(maps.Keys(sums)) {
		if sums[stack] <= 0 {
			omitted++
			continue
		}
		fmt.Fprintf(out, "%s %d\n", stack, sums[stack])
	}
	return omitted, out.Flush()
}

func (c Collapsed) stack(s profile.Sample) string {
	method := strings.ReplaceAll(s.Site.Class, ".", "/") + "." + s.Site.Method
	if c.Lines && s.Site.Line >= 0 {
		method = fmt.Sprintf("%s:%d", method, s.Site.Line)
	}
	stack := frame(method) + ";" + frame(s.Site.Type) + allocationFrame
	if c.Threads {
		return "[" + frame(s.Thread.Title()) + "];" + stack
	}
	return stack
}

// frame takes out of a name what separates frames and lines.
func frame(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ';', '\n', '\r':
			return '_'
		}
		return r
	}, name)
}
