package view

import (
	"iter"
	"math"
	"slices"

	"mallard/internal/profile"
)

// sourceLine is a line of a method.
type sourceLine struct{ method, line int32 }

// lineNumbers are lines that allocated or called what did, by method and line, and what was done there.
type lineNumbers struct {
	lines    []sourceLine
	contexts inBlocks // that were called from a line; not those that such an invocation of the same line has led to
	cells    inBlocks // of the sites of a line
}

// inBlocks says of numbers which line they are of, by blocks of lines. To add up what is known of a million numbers
// that are all over a million lines takes as long as memory does. So first these are written in the order of blocks,
// each of which goes on where it was, and then a block is added up, whose sums have room in a processor's cache.
type inBlocks struct {
	at   []int32  // by number: where it is among all blocks; -1 nowhere
	ends []int32  // by block: where it ends
	of   []uint16 // by place: the line, less the block's first one; with nested
}

// A block has so many lines.
const blockLines = 1 << 14

// nested marks what counts for the line itself, as an invocation has led to it that the same line has called.
const nested = 1 << 15

// newBlocks makes blocks, given for each number its line; ^ of it where that is nested, and none for nowhere.
func newBlocks(lineOf []int32, lines int) inBlocks {
	b := inBlocks{at: lineOf, ends: make([]int32, (lines+blockLines-1)/blockLines)}
	next := make([]int32, len(b.ends)+1)
	for _, n := range lineOf {
		if n != none {
			next[max(n, ^n)/blockLines+1]++
		}
	}
	for i := range b.ends {
		next[i+1] += next[i]
		b.ends[i] = next[i+1]
	}
	b.of = make([]uint16, next[len(b.ends)])
	for i, n := range lineOf {
		if n == none {
			b.at[i] = -1
			continue
		}
		line := max(n, ^n)
		at := &next[line/blockLines]
		b.of[*at] = uint16(line % blockLines)
		if n < 0 {
			b.of[*at] |= nested
		}
		b.at[i] = *at
		*at++
	}
	return b
}

const none = math.MinInt32

// add adds amounts, by number, to what lines have led to, and with self to what they have themselves.
func (b *inBlocks) add(rows []rowAmounts, amounts, scratch []amount, self bool) {
	split(len(b.at), manyNumbers, func(pieces iter.Seq2[int, int]) {
		for from, to := range pieces {
			for i, at := range b.at[from:to] {
				if at >= 0 {
					scratch[at] = amounts[from+i]
				}
			}
		}
	})
	split(len(b.ends), 1, func(pieces iter.Seq2[int, int]) {
		for block := range pieces {
			begin := int32(0)
			if block > 0 {
				begin = b.ends[block-1]
			}
			rows, of := rows[block*blockLines:], b.of[begin:b.ends[block]]
			for i, a := range scratch[begin:b.ends[block]] {
				row := &rows[of[i]&^nested]
				if of[i]&nested == 0 {
					add(&row.all, a)
				}
				if self {
					add(&row.self, a)
				}
			}
		}
	})
}

// numberLines finds the lines, method by method, and what was done there.
func numberLines(p *profile.Profile, cells *cells, ends []int32) *lineNumbers {
	contexts := byMethod(len(p.Methods), len(p.Contexts), func(i int) int32 {
		parent := p.Contexts[i].Parent
		if parent < 0 || p.Methods[p.Contexts[parent].Method].Class == "" { // other frames have no lines
			return -1
		}
		return p.Contexts[parent].Method
	})
	sites := byMethod(len(p.Methods), len(cells.site), func(k int) int32 {
		return p.Contexts[cells.context[k]].Method
	})
	ofContext, ofCell := make([]int32, len(p.Contexts)), make([]int32, len(cells.site)) // among those of its method
	lines := make([][]sourceLine, len(p.Methods))
	split(len(p.Methods), 64, func(pieces iter.Seq2[int, int]) {
		var ranks lineRanks
		for from, to := range pieces {
			for m := from; m < to; m++ {
				ranks.begin()
				for _, i := range contexts.of(m) {
					ranks.add(p.Contexts[i].Line)
				}
				for _, k := range sites.of(m) {
					ranks.add(p.Sites[cells.site[k]].Line)
				}
				ranks.find()
				for n, i := range contexts.of(m) {
					ofContext[i] = ranks.of[n]
				}
				for n, k := range sites.of(m) {
					ofCell[k] = ranks.of[len(contexts.of(m))+n]
				}
				lines[m] = make([]sourceLine, len(ranks.lines))
				for n, line := range ranks.lines {
					lines[m][n] = sourceLine{int32(m), line}
				}
			}
		}
	})
	first := make([]int32, len(lines)+1) // by method: the number of its first line
	for m := range lines {
		first[m+1] = first[m] + int32(len(lines[m]))
	}
	l := &lineNumbers{lines: slices.Concat(lines...)}
	active, k := make([]int32, len(l.lines)), 0
	for i := range p.Contexts {
		c, n := &p.Contexts[i], int32(none)
		if c.Parent >= 0 && p.Methods[p.Contexts[c.Parent].Method].Class != "" {
			n = first[p.Contexts[c.Parent].Method] + ofContext[i]
			if int32(i) >= active[n] {
				active[n] = ends[i]
			} else {
				n = none
			}
		}
		ofContext[i] = n
		for ; k < len(cells.site) && cells.context[k] == int32(i); k++ {
			n := first[c.Method] + ofCell[k]
			if ofCell[k] = n; int32(i) < active[n] {
				ofCell[k] = ^n
			}
		}
	}
	l.contexts, l.cells = newBlocks(ofContext, len(l.lines)), newBlocks(ofCell, len(l.lines))
	return l
}

// groupedNumbers are numbers by method; within one they ascend.
type groupedNumbers struct {
	list []int32
	ends []int32 // by method
}

// byMethod groups the numbers below n by a method; -1 for none.
func byMethod(methods, n int, methodOf func(i int) int32) groupedNumbers {
	next := make([]int32, methods+1) // by method and one: how many there are, then where the next one goes
	for i := range n {
		next[methodOf(i)+1]++
	}
	next[0] = 0
	for m := range methods {
		next[m+1] += next[m]
	}
	g := groupedNumbers{list: make([]int32, next[methods]), ends: next[:methods]}
	for i := range n {
		if m := methodOf(i); m >= 0 {
			g.list[next[m]] = int32(i)
			next[m]++
		}
	}
	return g
}

func (g *groupedNumbers) begin(method int) int32 {
	if method == 0 {
		return 0
	}
	return g.ends[method-1]
}

func (g *groupedNumbers) of(method int) []int32 { return g.list[g.begin(method):g.ends[method]] }
