package heap

// touched has a value for each of the classes that something has to do with; others are not looked at.
type touched[T any] struct {
	values []*T // by class
	list   []Class
	free   []*T
}

func newTouched[T any](classes int) *touched[T] { return &touched[T]{values: make([]*T, classes)} }

// of gives the value of a class, at first zero.
func (t *touched[T]) of(c Class) *T {
	if t.values[c] != nil {
		return t.values[c]
	}
	var value *T
	if n := len(t.free); n > 0 {
		value, t.free = t.free[n-1], t.free[:n-1]
		var zero T
		*value = zero
	} else {
		value = new(T)
	}
	t.values[c] = value
	t.list = append(t.list, c)
	return value
}

// clear has no class touched.
func (t *touched[T]) clear() {
	for _, c := range t.list {
		t.free = append(t.free, t.values[c])
		t.values[c] = nil
	}
	t.list = t.list[:0]
}
