package profile

import (
	"cmp"
	"maps"
	"slices"
)

// cell is what a thread allocated at a site as far as counters say: for arrays
// of unknown length elements and bytes are sums, for others they follow from
// the objects.
type cell struct {
	site, context            int32 // context is 0 until assignContexts
	objects, elements, bytes int64
}

func sorted(sums map[int32]cell) []cell {
	return slices.SortedFunc(maps.Values(sums), func(a, b cell) int { return cmp.Compare(a.site, b.site) })
}

// mergeCells adds two lists of cells, each ascending by site.
func mergeCells(a, b []cell) []cell {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	sum := make([]cell, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].site < b[0].site:
			sum, a = append(sum, a[0]), a[1:]
		case a[0].site > b[0].site:
			sum, b = append(sum, b[0]), b[1:]
		default:
			sum = append(sum, cell{a[0].site, 0, a[0].objects + b[0].objects, a[0].elements + b[0].elements,
				a[0].bytes + b[0].bytes})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(sum, a...), b...)
}

// sumCells sorts cells by site and context, and adds up those of the same.
func sumCells(cells []cell) []cell {
	slices.SortFunc(cells, func(a, b cell) int {
		if a.site != b.site {
			return cmp.Compare(a.site, b.site)
		}
		return cmp.Compare(a.context, b.context)
	})
	united := cells[:0]
	for _, c := range cells {
		if last := len(united) - 1; last >= 0 && united[last].site == c.site && united[last].context == c.context {
			united[last].objects += c.objects
			united[last].elements += c.elements
			united[last].bytes += c.bytes
			continue
		}
		united = append(united, c)
	}
	return united
}

// plus adds what was allocated at one site, which b names.
func (c cell) plus(b cell) cell {
	return cell{b.site, b.context, c.objects + b.objects, c.elements + b.elements, c.bytes + b.bytes}
}

// negative is what takes back what was counted.
func (c cell) negative() cell { return cell{c.site, c.context, -c.objects, -c.elements, -c.bytes} }
