package view

// amount is what was allocated.
type amount struct{ objects, bytes int64 }

func (a *amount) add(objects, bytes int64) {
	a.objects += objects
	a.bytes += bytes
}

func (a amount) isZero() bool { return a == amount{} }

// amounts are objects and bytes of many things.
type amounts struct{ objects, bytes []int64 }

// grow makes room for so many.
func (a *amounts) grow(n int) {
	if more := n - len(a.objects); more > 0 {
		a.objects, a.bytes = append(a.objects, make([]int64, more)...), append(a.bytes, make([]int64, more)...)
	}
}
