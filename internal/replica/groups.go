package replica

import (
	"iter"
	"maps"
	"slices"
)

// group is objects whose contents are equal.
type group struct {
	objects int64
	size    int64 // bytes of each
}

// groups are those of a set, by hash. At a level those whose hash ends in so many bits that are 0 are its sample: all
// that there is of each is known. The others are few, and large: most rows of others are of none that is kept, and are
// looked up where little is.
type groups struct {
	level           uint8
	sampled, others map[uint64]group // nil until there is one
}

// isSampled reports whether a hash is in the sample of a level.
func isSampled(hash uint64, level uint8) bool { return hash&(1<<level-1) == 0 }

func (g *groups) isSampled(hash uint64) bool { return isSampled(hash, g.level) }

// in is where a group of that hash is.
func (g *groups) in(hash uint64) map[uint64]group {
	if g.isSampled(hash) {
		return g.sampled
	}
	return g.others
}

func (g *groups) count() int { return len(g.sampled) + len(g.others) }

// add adds objects to a group.
func (g *groups) add(hash uint64, more group) {
	if g.sampled == nil {
		g.sampled, g.others = map[uint64]group{}, map[uint64]group{}
	}
	in := g.in(hash)
	in[hash] = group{plus(in[hash].objects, more.objects), more.size}
}

// raise has groups be at a level, if theirs is lower.
func (g *groups) raise(level uint8) {
	if level <= g.level {
		return
	}
	g.level = level
	for hash, is := range g.sampled {
		if !g.isSampled(hash) {
			g.others[hash] = is
			delete(g.sampled, hash)
		}
	}
}

// sorted are all groups by their hashes, in the same order each time.
func (g *groups) sorted() iter.Seq2[uint64, group] {
	return func(yield func(uint64, group) bool) {
		hashes := slices.AppendSeq(slices.Collect(maps.Keys(g.sampled)), maps.Keys(g.others))
		slices.Sort(hashes)
		for _, hash := range hashes {
			if !yield(hash, g.in(hash)[hash]) {
				return
			}
		}
	}
}
