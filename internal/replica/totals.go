package replica

import (
	"bytes"
	"encoding/binary"
	"time"

	"mallard/internal/abi"
	"mallard/internal/heap"
)

// Bounds of what is kept.
const (
	maxGroups = 1 << 18       // of all classes: some 25 MB
	maxOthers = maxGroups / 8 // of them, not in the samples of their classes
	maxValues = 1 << 13       // contents of groups, of all classes: some 5 MB
	maxEnded  = maxGroups     // classes that have no number any more: some 150 MB, if each has a group
	// contents of groups of a class: more than are told of a walk, as the largest of a walk need not be so in all
	maxClassValues = 3 * abi.ReplicaValues
)

// set is what is known of objects of a class at one stage.
type set struct {
	objects, bytes int64 // hashed
	unknown        int64 // objects that refer to what has no identity
	groups
}

// class is what is known of the objects of a class in a recording, which are those of one site where objects know it.
type class struct {
	is     heap.Identity // without a name: that is not known
	sets   [stages]set
	values map[uint64]Value // of some groups of those at birth; nil for none
}

// Totals are what walks have found. Its methods are for one goroutine.
type Totals struct {
	Work
	Classes string // patterns for those that were hashed; "": all were
	Methods string // patterns for those that have made what was hashed; "": all
	Damaged int64  // events
	LeftOut int64  // rows of groups, and classes without a number any more, for which there was no room

	// IsOther reports whether other methods have made what has a tag; then nothing is kept of it. nil: nobody knows.
	IsOther func(tag uint32) bool

	numbers *heap.Numbers     // what numbers stand for, as heap events say; reading, sets say it
	classes map[uint32]*class // by number in the recording
	groups  int               // of all
	others  int               // of these, not in the samples of their classes
	values  int               // of all
	full    bool              // there is no room for more
	begun   begun
}

// NewTotals has nothing yet.
func NewTotals() *Totals { return &Totals{numbers: heap.NewNumbers(), classes: map[uint32]*class{}} }

// Define takes the next event of a heap, whose data stay the caller's: what numbers of classes stand for.
func (t *Totals) Define(kind uint16, data []byte) { t.numbers.Take(kind, data) }

// drop forgets what is known of a number.
func (t *Totals) drop(number uint32) {
	c := t.classes[number]
	for _, s := range c.sets {
		t.groups -= s.count()
		t.others -= len(s.others)
	}
	t.values -= len(c.values)
	delete(t.classes, number)
	t.full = t.full && t.isFull()
}

// dropOthers forgets what other methods have made.
func (t *Totals) dropOthers() {
	for number, c := range t.classes {
		if t.isOther(c) {
			t.drop(number)
		}
	}
}

func (t *Totals) isOther(c *class) bool { return t.IsOther != nil && t.IsOther(c.is.Tag) }

// Add takes the next event, whose data stay the caller's. It reports whether a set has ended with it, and whether all
// of that was there. A set counts as a whole, or not at all: sums and groups of half a walk would not fit each other.
func (t *Totals) Add(kind uint16, data []byte) (ended, whole bool) {
	switch kind {
	case abi.EventReplicaGone:
		if set, events, good := decodeGone(data); good {
			return true, t.end(set, events)
		}
		t.Damaged++
	case abi.EventReplicaEnd:
		e, good := decodeEnd(data)
		if !good {
			t.Damaged++
			break
		}
		if whole = t.end(e.set, e.events); whole {
			t.Objects, t.Walks = plus(t.Objects, e.Objects), plus(t.Walks, e.Walks)
		}
		t.Took = time.Duration(plus(int64(t.Took), int64(e.Took)))
		t.Skipped, t.Incomplete = plus(t.Skipped, e.Skipped), plus(t.Incomplete, e.Incomplete)
		t.Depth, t.Budget = e.Depth, e.Budget
		return true, whole
	case abi.EventReplicaSums, abi.EventReplicaGroups, abi.EventReplicaLivedSums, abi.EventReplicaLivedGroups,
		abi.EventReplicaValue, abi.EventReplicaChosen, abi.EventReplicaIn, abi.EventReplicaClass:
		if len(data) < abi.ReplicaSumsRows {
			t.Damaged++
			break
		}
		t.begin(binary.LittleEndian.Uint32(data))
		t.begun.keep(kind, data)
	}
	return false, false
}

// take adds what an event of a set says, and reports whether it is undamaged.
func (t *Totals) take(kind uint16, data []byte) bool {
	switch kind {
	case abi.EventReplicaSums:
		return decodeSums(data, atBirth, t.addSums)
	case abi.EventReplicaGroups:
		return decodeGroups(data, atBirth, t.addGroup)
	case abi.EventReplicaLivedSums:
		return decodeSums(data, lived, t.addSums)
	case abi.EventReplicaLivedGroups:
		return decodeGroups(data, lived, t.addGroup)
	case abi.EventReplicaValue:
		return decodeValue(data, t.addValue)
	case abi.EventReplicaClass:
		return decodeClass(data, t.addClass)
	case abi.EventReplicaChosen:
		t.Classes = string(data[abi.ReplicaSumsRows:])
	case abi.EventReplicaIn:
		t.Methods = string(data[abi.ReplicaSumsRows:])
	}
	return true
}

// begin counts what is lost of a set whose end is missing.
func (t *Totals) begin(set uint32) {
	if t.begun.events > 0 && set != t.begun.set {
		t.Incomplete = plus(t.Incomplete, 1)
		t.begun = begun{}
	}
	t.begun.set = set
}

// end adds what a set has that has ended, if as many events as it says have come, and reports that.
func (t *Totals) end(set uint32, events int64) bool {
	t.begin(set)
	whole := t.begun.isWhole(events)
	for _, e := range t.begun.kept {
		if whole && !t.take(e.kind, e.data) {
			t.Damaged++
			whole = false
		}
	}
	if !whole {
		t.Incomplete = plus(t.Incomplete, 1)
	}
	t.begun = begun{}
	return whole
}

func (t *Totals) class(number uint32) *class {
	c := t.classes[number]
	if c == nil {
		c = &class{}
		c.is, _ = t.numbers.Identity(number)
		t.classes[number] = c
	}
	return c
}

func (t *Totals) addClass(r classRow) { t.class(r.class).is = r.is }

func (t *Totals) addSums(r sums) {
	c := t.class(r.class)
	s := &c.sets[r.stage]
	s.objects, s.bytes = plus(s.objects, r.objects), plus(s.bytes, r.bytes)
	s.unknown = plus(s.unknown, r.unknown)
	if r.level > s.level {
		t.raise(c, r.stage, r.level)
	}
}

func (t *Totals) addGroup(r groupRow) {
	s := &t.class(r.class).sets[r.stage]
	_, known := s.in(r.hash)[r.hash]
	sampled := s.isSampled(r.hash)
	switch {
	case known:
	case !sampled && r.objects < abi.ReplicaFrequent:
		return
	case t.full:
		t.LeftOut++
		return
	default:
		t.groups++
		if !sampled {
			t.others++
		}
	}
	s.add(r.hash, group{r.objects, r.size})
	if !t.full && (t.groups > maxGroups || t.others > maxOthers) {
		t.shrink()
	}
}

// certain is how many objects a group has, at least, that is known even if it is not in a sample: four times its share
// of the places for such groups.
func (t *Totals) certain() int64 { return max(4*(t.Objects/abi.ReplicaPlaces), abi.ReplicaFrequent) }

// shrink gives up what other methods have made, and groups that are not in samples and far from certain, and raises the
// levels of all sets that have half as many groups as the largest, and more, until a quarter of the room is free.
func (t *Totals) shrink() {
	t.dropOthers()
	t.eachSet(t.prune)
	for round := 0; round < abi.ReplicaLevels && t.groups > maxGroups/4*3; round++ {
		most := 0
		t.eachSet(func(c *class, at stage) { most = max(most, c.sets[at].count()) })
		t.eachSet(func(c *class, at stage) {
			if s := c.sets[at]; s.count() >= (most+1)/2 {
				t.raise(c, at, min(s.level+1, abi.ReplicaLevels-1))
			}
		})
	}
	t.full = t.isFull()
}

func (t *Totals) eachSet(do func(c *class, at stage)) {
	for _, c := range t.classes {
		for at := range stages {
			do(c, at)
		}
	}
}

// isFull reports whether there is no room for more, where some were given up.
func (t *Totals) isFull() bool { return t.groups > maxGroups/4*3 || t.others > maxOthers/4*3 }

// raise has a set of a class at a level.
func (t *Totals) raise(c *class, at stage, level uint8) {
	s := &c.sets[at]
	t.others -= len(s.others)
	s.raise(level)
	t.others += len(s.others)
	t.prune(c, at)
}

// prune gives up groups of a set that are not in its sample.
func (t *Totals) prune(c *class, at stage) {
	certain := t.certain() / 2 // some more may come
	s := &c.sets[at]
	for hash, g := range s.others {
		if g.objects >= certain {
			continue
		}
		delete(s.others, hash)
		t.groups--
		t.others--
		if at == atBirth {
			t.forget(c, hash)
		}
	}
}

// HasValues reports whether contents of any objects were recorded.
func (t *Totals) HasValues() bool { return t.values > 0 }

// addValue keeps the contents of a group that is known, as long as there is room: of each class those of the groups
// with most objects so far.
func (t *Totals) addValue(v valueRow) {
	c := t.class(v.class)
	if c.sets[atBirth].in(v.hash)[v.hash].objects == 0 {
		return
	}
	if _, known := c.values[v.hash]; known {
		return
	}
	if len(c.values) == maxClassValues {
		least, found := v.hash, false
		for hash := range c.values {
			if less(c, hash, least) {
				least, found = hash, true
			}
		}
		if !found {
			return
		}
		t.forget(c, least)
	}
	if t.values == maxValues {
		return
	}
	if c.values == nil {
		c.values = map[uint64]Value{}
	}
	c.values[v.hash] = bytes.Clone(v.contents)
	t.values++
}

// less reports whether a group has fewer objects than another; of equal ones the higher hash counts as less.
func less(c *class, a, b uint64) bool {
	s := &c.sets[atBirth]
	return fewer(s.in(a)[a].objects, s.in(b)[b].objects, a, b)
}

// fewer is the same of what two hashes have.
func fewer(of, than int64, a, b uint64) bool { return of < than || of == than && a > b }

// forget gives up the contents of a group, if there are any.
func (t *Totals) forget(c *class, hash uint64) {
	if _, known := c.values[hash]; known {
		delete(c.values, hash)
		t.values--
	}
}
