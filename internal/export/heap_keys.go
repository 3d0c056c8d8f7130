package export

import (
	"slices"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// keyColumns say what each row stands for.
func keyColumns[Row any](h *heap.History, q *heap.Query, key func(Row) heap.Key) (columns []heapColumn[Row]) {
	class := func(r Row) heap.Class { return key(r).Class }
	named, byLoader := false, slices.Contains(q.By, heap.ByLoader)
	for _, by := range q.By {
		c := heapColumn[Row]{name: by.String(), unit: profile.Text}
		switch by {
		case heap.ByClass, heap.BySite, heap.ByContext:
			if !named {
				columns = append(columns, classColumns(h, byLoader, class)...)
				named = true
			}
			if by != heap.ByClass {
				columns = append(columns, siteColumns(q.Counts, by == heap.ByContext, class)...)
			}
			continue
		case heap.ByLoader:
			if !heap.AreWhole(q.By) { // it is with the class
				continue
			}
			c.title, c.value = "Loader", func(r Row) any {
				if title := h.LoaderTitle(class(r)); title != "" {
					return title
				}
				return h.Name(class(r))
			}
		case heap.ByThread:
			c.title, c.value = "Thread", func(r Row) any { return h.Thread(class(r)) }
			if heap.AreWhole(q.By) && !byLoader {
				c.value = func(r Row) any { return h.Name(class(r)) }
			}
		case heap.BySpace:
			c.title, c.value = "Space", func(r Row) any { return key(r).Space.String() }
		case heap.ByGeneration:
			c.title, c.value = "Generation", func(r Row) any { return generation(key(r)) }
		case heap.ByAge:
			c.title, c.unit = "Age", profile.Number
			c.value = func(r Row) any {
				if age := key(r).Age; age >= 0 {
					return int64(age)
				}
				return nil
			}
		}
		columns = append(columns, c)
	}
	return columns
}

func generation(k heap.Key) string { return map[bool]string{false: "young", true: "old"}[k.Old] }

// rowNoun is what a row is.
func rowNoun(q *heap.Query) string {
	if len(q.By) == 1 && q.By[0] != heap.BySite && q.By[0] != heap.ByContext {
		return q.By[0].String()
	}
	return "row"
}

// classNoun is what a row is where each is of one class, or of what stands for several.
func classNoun(q *heap.Query) string {
	switch {
	case !heap.AreWhole(q.By):
	case len(q.By) == 1:
		return q.By[0].String()
	default:
		return "row"
	}
	return heap.ByClass.String()
}
