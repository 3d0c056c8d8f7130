package diff

import (
	"math"
	"slices"
)

// member is a place that is to be paired, with what it stands for.
type member struct {
	*place
	node           int32
	objects, bytes float64
}

// matcher pairs places. Without unchanged classes it takes all of them to be.
type matcher struct {
	names     *names
	unchanged map[string]bool
}

// isUnchanged reports whether a class has not changed: lines, and what compilers number, say what is the same.
func (m *matcher) isUnchanged(class string) bool {
	return m.unchanged == nil || m.unchanged[outermost(class)]
}

// name is that of a class, or of something in it, without what need not be the same.
func (m *matcher) name(name, class string) string {
	if m.isUnchanged(class) {
		return m.names.stableName(name)
	}
	return m.names.plainName(name)
}

// key gives the group of a place, given the class whose lines it has.
func (m *matcher) key(p *place, lines string) placeKey {
	k := placeKey{class: m.name(p.class, p.class), method: m.name(p.method, p.class), descriptor: p.descriptor,
		allocated: m.name(p.allocated, p.allocated), other: p.other, loader: p.loader, line: -1, bci: -1,
		isLeaf: p.allocated != ""}
	if m.isUnchanged(lines) {
		k.line, k.bci = p.line, p.bci
	}
	return k
}

// pair says for each of b which of a is the same, -1 for none. All of them are inside one method, or none is; lines is
// the class whose lines calls are at where they are.
//
// Members of a group, those with one key, are paired as [align] does. It has to know by how many lines the code of
// their method has moved: by as many as most pairs of all of its groups are apart, those weighing most that allocate
// alike.
func (m *matcher) pair(a, b []member, lines string) []int {
	pairs := slices.Repeat([]int{-1}, len(b))
	switch {
	case len(a) == 0 || len(b) == 0:
		return pairs
	case len(a) == 1 && len(b) == 1 && a[0].inside: // most calls lead to one
		if m.key(a[0].place, lines) == m.key(b[0].place, lines) {
			pairs[0] = 0
		}
		return pairs
	}
	groups := map[placeKey]*group{}
	var order []*group
	add := func(list []member, to func(*group) *[]int) {
		for i := range list {
			own := lines
			if !list[i].inside {
				own = list[i].class
			}
			key := m.key(list[i].place, own)
			g := groups[key]
			if g == nil {
				g = &group{}
				if !list[i].inside {
					g.method = methodKey{key.class, key.method}
				}
				groups[key], order = g, append(order, g)
			}
			indexes := to(g)
			*indexes = append(*indexes, i)
		}
	}
	add(a, func(g *group) *[]int { return &g.a })
	add(b, func(g *group) *[]int { return &g.b })
	shifts := map[methodKey]*shift{}
	for _, g := range order {
		m.sort(g.a, a)
		m.sort(g.b, b)
		if shifts[g.method] == nil {
			shifts[g.method] = &shift{}
		}
		shifts[g.method].vote(g, a, b)
	}
	for _, g := range order {
		moved := shifts[g.method].lines()
		for _, p := range align(len(g.a), len(g.b), func(i, j int) float64 {
			return m.difference(&a[g.a[i]], &b[g.b[j]], moved)
		}) {
			pairs[g.b[p[1]]] = g.a[p[0]]
		}
	}
	return pairs
}

func (m *matcher) sort(indexes []int, members []member) {
	slices.SortStableFunc(indexes, func(i, j int) int { return members[i].compare(members[j].place, m.names) })
}

// group is what has one key.
type group struct {
	method methodKey
	a, b   []int // in order
}

// methodKey is the method in which lines are compared; empty where all are inside one.
type methodKey struct{ class, method string }

// shift is by how many lines the code of a method has moved: what each number speaks for.
type shift struct{ votes map[int32]float64 }

// mostVotes bounds the pairs of a group that are asked.
const mostVotes = 1 << 12

func (s *shift) vote(g *group, a, b []member) {
	if len(g.a)*len(g.b) > mostVotes {
		return
	}
	for _, i := range g.a {
		for _, j := range g.b {
			if a[i].line < 0 || b[j].line < 0 {
				continue
			}
			if s.votes == nil {
				s.votes = map[int32]float64{}
			}
			s.votes[b[j].line-a[i].line] += 1 - unlike(&a[i], &b[j])
		}
	}
}

// lines is the number that most speaks for, the smallest one of several.
func (s *shift) lines() (best int32) {
	most := s.votes[0]
	for lines, votes := range s.votes {
		closer := max(lines, -lines) < max(best, -best) || lines == -best && lines > 0
		if votes > most || votes == most && closer {
			best, most = lines, votes
		}
	}
	return best
}

// difference says how little two members look the same: by what they allocate, by the lines that they are apart beside
// those that their method has moved, each 1 at most, and a little by the numbers in their names.
func (m *matcher) difference(a, b *member, moved int32) float64 {
	d := unlike(a, b)
	if a.line >= 0 && b.line >= 0 {
		apart := math.Abs(float64(b.line) - float64(a.line) - float64(moved))
		d += apart / (apart + 2)
	}
	n := m.names
	if n.stableName(a.class) != n.stableName(b.class) || n.stableName(a.method) != n.stableName(b.method) ||
		n.stableName(a.allocated) != n.stableName(b.allocated) {
		d += 0.05
	}
	return d
}

// unlike is 0 where two members allocate the same, and 1 where one alone allocates: by objects or by bytes, whichever
// is more.
func unlike(a, b *member) float64 {
	part := func(a, b float64) float64 {
		if a == b {
			return 0
		}
		return math.Abs(a-b) / max(math.Abs(a), math.Abs(b))
	}
	return max(part(a.objects, b.objects), part(a.bytes, b.bytes))
}

// mostCells bounds the work of align: more is paired in order.
const mostCells = 1 << 22

// align pairs as many of n and m as can be, in their order, so that the sum of the differences is least. It gives the
// pairs.
//
// With n ≤ m, least[i][j] is the least sum for the first i of n and some of the first j of m: either the last one of m
// is left out, or it is the last one's of n.
func align(n, m int, difference func(i, j int) float64) (pairs [][2]int) {
	if n > m {
		for _, p := range align(m, n, func(i, j int) float64 { return difference(j, i) }) {
			pairs = append(pairs, [2]int{p[1], p[0]})
		}
		return pairs
	}
	width := m - n + 1 // of the places that there can be for each: i is at i or at most width behind it
	if n == 0 || width == 1 || n*width > mostCells {
		for i := range n {
			pairs = append(pairs, [2]int{i, i})
		}
		return pairs
	}
	least := make([]float64, (n+1)*width) // of i with the first i+k
	for i := 1; i <= n; i++ {
		for k := range width {
			sum := least[(i-1)*width+k] + difference(i-1, i-1+k)
			if k > 0 {
				sum = min(sum, least[i*width+k-1])
			}
			least[i*width+k] = sum
		}
	}
	k := width - 1
	for i := n; i > 0; i-- {
		for k > 0 && least[i*width+k-1] == least[i*width+k] {
			k--
		}
		pairs = append(pairs, [2]int{i - 1, i - 1 + k})
	}
	slices.Reverse(pairs)
	return pairs
}
