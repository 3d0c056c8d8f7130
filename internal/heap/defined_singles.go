package heap

import (
	"mallard/internal/abi"
	"mallard/internal/heap/single"
)

// definedSingles number what the recording says that single objects are: classes, and their tags. Other is the first.
type definedSingles struct {
	list  []*numbered
	index map[*numbered]int32
}

// of looks numbers of a recording up, and gives the index in the list.
func (d *definedSingles) of(n numbers) single.Classes {
	d.list, d.index = nil, map[*numbered]int32{}
	add := func(is *numbered) int32 {
		i, known := d.index[is]
		if !known {
			i = int32(len(d.list))
			d.list, d.index[is] = append(d.list, is), i
		}
		return i
	}
	add(n.classes[abi.HeapOthers])
	return func(number uint32) (class int32, bytes uint32, known bool) {
		is, known := n.classes[number]
		if !known {
			return 0, 0, false
		}
		return add(is), is.bytes, true
	}
}

// at is what an object is.
func (d *definedSingles) at(o *single.Object) *numbered { return d.list[o.Class] }

// hasTag reports whether a tag is known.
func (n *numbered) hasTag() bool { return n.tag != 0 && n.tag != abi.TagNone }

// mayBecome reports whether an object of one tag may be of another one later: one that had none, or that was taken for
// one of the site that gives none, since its constructor was running.
func (n *numbered) mayBecome(is *numbered) bool { return n.tag == is.tag || !n.hasTag() || n.isImplied }
