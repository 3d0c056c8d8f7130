package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// From here on bytes at no known site are a loss, of a thread or of all: the JVM makes as many for itself in any
// program, when it loads classes.
const (
	someUnattributed = 1 << 20 // bytes
	manyUnattributed = 100     // one in so many of the JVM's
)

func isLoss(unattributed, jvm int64) bool {
	return unattributed >= someUnattributed && unattributed > jvm/manyUnattributed
}

// unattributed is what a thread allocated at no known site.
type unattributed struct {
	thread     string
	carrier    bool
	bytes, jvm int64
}

// describeUnattributed says what bytes have no site, where they are so many that something may be missing; nothing
// where they are not. all is how many have none of those that the JVM allocated, and threads are those with many.
// replaced says what compiled code may have made.
func describeUnattributed(threads []unattributed, all, jvm int64, replaced string) (bytes int64, detail string) {
	why := "native code may have made them (run --jni counts that), or the JVM for itself" + replaced
	if slices.ContainsFunc(threads, func(t unattributed) bool { return t.carrier }) {
		why += ", such as stacks of virtual threads that wait"
	}
	switch {
	case len(threads) > 0:
		for _, t := range threads {
			bytes += t.bytes
		}
		return bytes, fmt.Sprintf("bytes that the JVM allocated at no known site, %s of all: in %s; %s",
			share(all, jvm), threadsOf(threads), why)
	case isLoss(all, jvm):
		return all, fmt.Sprintf("bytes that the JVM allocated at no known site, %s of all: %s", share(all, jvm), why)
	}
	return 0, ""
}

func share(part, of int64) string { return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(of)) }

// threadsOf names the threads with the most bytes at no known site.
func threadsOf(threads []unattributed) string {
	const named = 3
	list := slices.SortedFunc(slices.Values(threads), func(a, b unattributed) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), strings.Compare(a.thread, b.thread))
	})
	var names []string
	for _, t := range list[:min(named, len(list))] {
		names = append(names, fmt.Sprintf("%s (%s of its own)", t.thread, share(t.bytes, t.jvm)))
	}
	text := strings.Join(names, ", ")
	if more := len(list) - named; more > 0 {
		text += fmt.Sprintf(" and %d more threads", more)
	}
	return text
}
