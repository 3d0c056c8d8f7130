package contexts

import (
	"cmp"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"mallard/internal/callenc"
	"mallard/internal/calltree"
)

// An epochPolicy says when epochs begin: when many calls have become known that have no constant yet, or when calls
// without one are made often: new ones, or such as lead back.
type epochPolicy struct {
	// so many calls have become known that have no constant yet, and as many more as that share of those that have
	calls, callsShare     int
	anchors, anchorsShare uint64 // anchors are looked through when there are so many more, and that share more
	// times that calls without a constant were made; twice as often after each epoch that began for that reason
	taken      uint64
	soon, late time.Duration // between two looks at how many anchors there are, at least and at most
}

// There are few epochs: what has a number of an earlier one gets another, and is decoded once more.
var usual = epochPolicy{256, 2, 1024, 8, 1 << 20, 100 * time.Millisecond, time.Second}

// Anchors are looked through every second as well, if that takes a small share of a processor.
const (
	anchorsEvery = time.Second
	countShare   = 50
)

// epochsEnv makes epochs begin, for tests, whenever there are so many more calls.
const epochsEnv = "MALLARD_EPOCHS"

func policyOf(env string) epochPolicy {
	n, err := strconv.Atoi(env)
	if err != nil || n <= 0 {
		return usual
	}
	return epochPolicy{
		calls: n, callsShare: math.MaxInt, anchors: 1, anchorsShare: math.MaxUint64, taken: math.MaxUint64,
		soon: time.Millisecond, late: time.Millisecond,
	}
}

// encode begins an epoch if it is time, and says how long to wait before it is looked at again.
func (c *Contexts) encode(e *encoder) {
	due, forgotten := c.countAnchors(e)
	if !due {
		e.wait = min(2*e.wait, e.policy.late)
		return
	}
	if e.begins() {
		c.begin(e, e.choose(), forgotten)
	}
	e.wait = e.policy.soon // many are new
}

// countAnchors looks through the anchors if it is time, and says how often calls had been forgotten by then.
func (c *Contexts) countAnchors(e *encoder) (due bool, forgotten int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	due = e.due()
	if due {
		e.count()
	}
	return due, c.forgotten
}

// begin begins an epoch, unless there are calls in it that have been forgotten since: then it is chosen again.
func (c *Contexts) begin(e *encoder, additions []calltree.Addition, forgotten int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if forgotten != c.forgotten {
		e.known, e.next = 0, 0
		return
	}
	e.full = !e.arena.BeginEpoch(additions)
}

// encoder knows the calls that stand behind anchors, and so all that have constants: those stood behind anchors before.
type encoder struct {
	arena  *calltree.Arena
	policy epochPolicy
	calls  map[callenc.Edge]uint64 // and how often they were taken without a constant
	total  uint64                  // the sum
	known  int                     // of the calls, when the epoch began
	taken  uint64                  // the sum then
	next   uint64                  // anchors at which there may be calls that are new
	again  time.Time               // when there may be some that are taken often
	full   bool                    // no epoch can begin any more
	wait   time.Duration           // before anchors are looked at again
}

func newEncoder(arena *calltree.Arena) *encoder {
	policy := policyOf(os.Getenv(epochsEnv))
	return &encoder{arena: arena, policy: policy, calls: map[callenc.Edge]uint64{}, wait: policy.soon}
}

func (e *encoder) due() bool {
	return !e.full && (e.arena.Anchors() >= e.next || !time.Now().Before(e.again))
}

// count looks through the anchors.
func (e *encoder) count() {
	started, n := time.Now(), e.arena.Anchors()
	e.next = n + e.policy.anchors + n/e.policy.anchorsShare
	clear(e.calls)
	e.total = 0
	e.arena.Anchored(func(c calltree.Call, taken uint64) {
		e.calls[callenc.Edge{Caller: callenc.Method(c.Caller), Callee: callenc.Method(c.Callee),
			Site: int32(c.Number)}] += taken
		e.total += taken
	})
	e.again = time.Now().Add(max(anchorsEvery, countShare*time.Since(started)))
}

// begins reports whether an epoch is to begin.
func (e *encoder) begins() bool {
	many := len(e.calls)-e.known >= e.policy.calls+e.known/e.policy.callsShare
	often := e.total > e.taken && e.total-e.taken >= e.policy.taken // less where anchors are no more
	if !many && often {
		e.policy.taken *= 2
	}
	return many || often
}

// choose gives constants to all calls that can have them. Which of those that lead back cannot depends on how often
// each was taken; the more often one was that cannot, the sooner it will.
func (e *encoder) choose() []calltree.Addition {
	e.known, e.taken = len(e.calls), e.total
	var additions []calltree.Addition
	callenc.NewEpoch(e.calls, calltree.ValueLimit).Additions(func(edge callenc.Edge, add uint64) {
		call := calltree.Call{Number: uint32(edge.Site), Caller: calltree.MethodID(edge.Caller),
			Callee: calltree.MethodID(edge.Callee)}
		additions = append(additions, calltree.Addition{Call: call, Add: add + 1})
	})
	slices.SortStableFunc(additions, func(x, y calltree.Addition) int {
		return cmp.Compare(e.takenBy(y), e.takenBy(x))
	})
	return additions
}

func (e *encoder) takenBy(x calltree.Addition) uint64 {
	return e.calls[callenc.Edge{Caller: callenc.Method(x.Caller), Callee: callenc.Method(x.Callee),
		Site: int32(x.Number)}]
}
