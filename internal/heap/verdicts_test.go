package heap

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
)

// seconds has a collection in each second, of which the last one does not end. What each does comes from a function:
// what has lived through the one before, and was born since, and then what it collects, and why.
func seconds(n uint64, each func(e *heaptest.Events, i uint64) (collected uint64, cause string)) (*History, Causes) {
	e, causes := &heaptest.Events{}, Causes{}
	region := uint64(0)
	for i := range n {
		collected, cause := each(e, i)
		e.Walk(ends{Collection: i, Start: i * 1e9})
		var freed []uint64
		if collected == abi.HeapEverything || cause == ofOldRegions { // all that came to the region since
			freed, region = []uint64{region}, region+1
		}
		e.Finish(i*1e9+1e8, collected, freed...)
		causes[int64(i)] = cause
	}
	return NewHistory(e.All()), causes
}

// ofOldRegions is the cause of a young collection that looks at the old generation as well.
const ofOldRegions = "mixed"

// said puts what is sure, but for what grows, in a line.
func (v *Verdicts) said() (text string) {
	if b := v.Bounded; b != nil {
		text += fmt.Sprintf("%s is full since %v: %d bytes after %d collections, %d born; ", b.Name, b.Since,
			b.Level.Bytes, b.Collections, b.Born.Bytes)
	}
	if e := v.Early; e != nil {
		text += fmt.Sprintf("%s: of %d bytes promoted %d were dead at %d collections; ", e.Name, e.Promoted.Bytes,
			e.Died.Bytes, e.Collections)
	}
	if c := v.Churning; c != nil {
		text += fmt.Sprintf("%d of %d died in %d collections of %v, %s: %d of %d; ", c.Died.Bytes, c.Born.Bytes,
			c.Collections, c.Stopped, c.Name, c.Ended.Bytes, c.Filled.Bytes)
	}
	if o := v.Oversized; o != nil {
		text += fmt.Sprintf("%d of %d collections, of %v, for %d humongous bytes, %s: %d; ", o.Collections, o.All,
			o.Stopped, o.Born.Bytes, o.Name, o.Made.Bytes)
	}
	if c := v.Crowded; c != nil {
		text += fmt.Sprintf("%d collections until %v left %d of %d bytes, %d at most; ", c.Collections, c.Last, c.Left,
			c.Found, c.Most)
	}
	return text
}

// TestVerdicts: only what is sure is said.
func TestVerdicts(t *testing.T) {
	type collection = func(e *heaptest.Events, i uint64) (collected uint64, cause string)
	regions := uint64(0) // full collections so far
	// objects of 16 bytes that a full collection has left, and are born before the next
	full := func(class string, held, born func(i uint64) uint64) collection {
		return func(e *heaptest.Events, i uint64) (uint64, string) {
			if i > 0 {
				e.Rows(inOld(uint32(i)), of(class, held(i), 16*held(i)))
			}
			e.Born(of(class, born(i), 16*born(i)))
			return abi.HeapEverything, "System.gc()"
		}
	}
	// the same of each second collection, which is a mixed one; the others promote what is born
	mixed := func(held func(i uint64) uint64) collection {
		return func(e *heaptest.Events, i uint64) (uint64, string) {
			n := uint64(100)
			if i%2 == 1 {
				n = held(i)
			}
			if i > 0 {
				e.Rows(inOld(uint32((i+1)/2)), of("Cache", n, 16*n))
			}
			e.Born(of("Cache", 100, 1600))
			if i%2 == 0 {
				return abi.HeapYoung, ofOldRegions
			}
			return abi.HeapYoung, "G1 Evacuation Pause"
		}
	}
	always := func(n uint64) func(uint64) uint64 { return func(uint64) uint64 { return n } }
	// objects of 16 bytes, of which each young collection promotes 100, and each fifth one, which is full, leaves some
	promoted := func(left func(i uint64) uint64) collection {
		return func(e *heaptest.Events, i uint64) (uint64, string) {
			n := uint64(100)
			if i%5 == 0 {
				n = left(i)
			}
			if i > 0 && n > 0 {
				e.Rows(inOld(uint32(regions)), of("Request", n, 16*n))
			}
			e.Born(of("Request", 1000, 16000))
			if i%5 == 4 {
				regions++
				return abi.HeapEverything, "Ergonomics"
			}
			return abi.HeapYoung, "Allocation Failure"
		}
	}
	// of 1,000 objects of 16 bytes young collections leave some, and promote half as many
	young := func(survive uint64) collection {
		return func(e *heaptest.Events, i uint64) (uint64, string) {
			if i > 0 {
				e.Moved(1, of("Garbage", survive, 16*survive))
				e.Moved(0, of("Garbage", survive/2, 16*(survive/2)))
			}
			e.Born(of("Garbage", 900, 14400), of("Other", 100, 1600))
			return abi.HeapYoung, "Allocation Failure"
		}
	}
	humongous := func(every, collected uint64) collection {
		return func(e *heaptest.Events, i uint64) (uint64, string) {
			e.Rows(heaptest.Place{Space: abi.HeapHumongous, Region: uint32(1000 + i)}, of("[B", 1, 800_000),
				of("[Ljdk/internal/vm/FillerElement;", 1, 200_000))
			if i%every == 0 {
				return collected, humongousCause
			}
			return abi.HeapYoung, "G1 Evacuation Pause"
		}
	}
	crowded := func(cause string, held func(i uint64) uint64) collection {
		return func(e *heaptest.Events, i uint64) (uint64, string) {
			if i > 0 {
				e.Rows(inOld(uint32(i)), of("Kept", 1, 1000*held(i)))
			}
			e.Born(of("Kept", 1, 5000))
			return abi.HeapEverything, cause
		}
	}
	for _, test := range []struct {
		name        string
		collections uint64
		each        collection
		want        string
	}{
		{"a cache that is full", 30, full("Cache", func(i uint64) uint64 { return 100 * min(i, 10) }, always(100)),
			"Cache is full since 9.1s: 16000 bytes after 20 collections, 32000 born; "},
		{"a cache that fills", 30, full("Cache", func(i uint64) uint64 { return 100 * i }, always(100)), ""},
		{"a cache that is full for too short a time", 30,
			full("Cache", func(i uint64) uint64 { return 100 * min(i, 22) }, always(100)), ""},
		{"a cache of which nothing goes any more", 30,
			full("Table", func(i uint64) uint64 { return 100 * min(i, 10) },
				func(i uint64) uint64 { return 100 * (max(i, 10) - i) }), ""},
		{"a cache that is full, by mixed collections", 30,
			mixed(func(i uint64) uint64 { return 100 * min(i, 10) }),
			"Cache is full since 10.1s: 16000 bytes after 9 collections, 30400 born; "},
		{"a cache that is full, by mixed collections that leave garbage", 30,
			mixed(func(i uint64) uint64 { return 100*min(i, 10) + 40*(i/2%3) }),
			"Cache is full since 10.1s: 16000 bytes after 9 collections, 30400 born; "},
		{"what falls to what it was, by mixed collections", 30,
			mixed(func(i uint64) uint64 { return 100*min(i, 10) + 60*(10-min(i/3, 10)) }), ""},
		{"a cache that fills, by mixed collections", 30, mixed(func(i uint64) uint64 { return 100 * i }), ""},
		{"what grows slowly at last, by mixed collections", 30,
			mixed(func(i uint64) uint64 { return 100*min(i, 10) + 20*i }), ""},
		{"what goes up and down", 30,
			full("Buffer", func(i uint64) uint64 { return 100*min(i, 10) + 20*(i%2) }, always(100)), ""},
		{"what grows slowly at last", 30,
			full("Cache", func(i uint64) uint64 { return 100*min(i, 10) + 4*i }, always(100)), ""},
		{"what came at once", 30, full("Table", always(1000), always(100)), ""},
		{"promoted in vain", 21, promoted(always(10)),
			"Request: of 25600 bytes promoted 24960 were dead at 4 collections; "},
		{"promoted with reason", 20, promoted(always(100)), ""},
		{"promoted, and kept", 20, promoted(func(i uint64) uint64 { return 80 * i }), ""},
		{"promoted in vain, too seldom to say", 12, promoted(always(10)), ""},
		{"churn", 20, young(10),
			"299440 of 304000 died in 19 collections of 1.9s, Garbage: 269040 of 273600; "},
		{"what lives for longer", 20, young(60), ""},
		{"churn, too early to say", 9, young(10), ""},
		{"humongous objects", 20, humongous(4, abi.HeapYoung),
			"5 of 19 collections, of 500ms, for 16000000 humongous bytes, byte[]: 16000000; "},
		{"humongous objects, and eden empty", 20, humongous(4, abi.HeapNothing),
			"5 of 19 collections, of 500ms, for 16000000 humongous bytes, byte[]: 16000000; "},
		{"humongous objects that seldom matter", 40, humongous(20, abi.HeapYoung), ""},
		{"no room", 20, crowded("Allocation Failure", always(95)),
			"3 collections until 18.1s left 285000 of 300000 bytes, 100000 at most; "},
		{"collections that were asked for", 20, crowded("System.gc()", always(95)), ""},
		{"collections that found room", 20, crowded("Ergonomics", always(5)), ""},
		{"a heap that grows", 20, crowded("Ergonomics", func(i uint64) uint64 { return 95 << i }), ""},
	} {
		regions = 0
		h, causes := seconds(test.collections, test.each)
		end := len(h.Pauses) - 1
		if diff := cmp.Diff(test.want, h.Verdicts(end, Query{}, causes).said()); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
		if h.Damaged = 1; h.Verdicts(end, Query{}, causes).said() != "" {
			t.Errorf("%s: something is said where events are missing", test.name)
		}
		if h.Damaged = 0; h.Verdicts(end, Query{Class: "NoSuch"}, causes).said() != "" {
			t.Errorf("%s: something is said of what is not selected", test.name)
		}
		if h.Verdicts(1, Query{}, causes).said() != "" || h.Verdicts(Start, Query{}, causes).said() != "" {
			t.Errorf("%s: something is said too early", test.name)
		}
	}
}
