package view

// groups are frames by name.
type groups struct {
	list  []*frame
	table []*frame // where there are many: each at the place of its name or behind it, at most half of it full
}

// fewFrames are looked through one by one.
const fewFrames = 8

// frame finds the frame of a name, or makes it.
func (g *groups) frame(n name) *frame {
	if g.table == nil {
		for _, f := range g.list {
			if f.name == n {
				return f
			}
		}
	} else if f := *g.place(n); f != nil {
		return f
	}
	f := &frame{name: n}
	if g.list = append(g.list, f); len(g.list) > max(fewFrames, len(g.table)/2) {
		g.table = make([]*frame, 8*len(g.list))
		for _, f := range g.list {
			*g.place(f.name) = f
		}
	} else if g.table != nil {
		*g.place(n) = f
	}
	return f
}

// place is where a name is in the table, or would be.
func (g *groups) place(n name) **frame {
	hash := (uint64(n.kind)<<56 ^ uint64(uint32(n.index))<<24 ^ uint64(uint32(n.line))) * 0x9e3779b97f4a7c15
	// as far into the table as the hash is into all numbers, as far as its upper half says
	for i := int(hash >> 32 * uint64(len(g.table)) >> 32); ; i++ {
		if i == len(g.table) {
			i = 0
		}
		if at := &g.table[i]; *at == nil || (*at).name == n {
			return at
		}
	}
}
