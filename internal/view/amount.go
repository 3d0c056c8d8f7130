package view

// amount is what was allocated.
type amount struct{ objects, bytes int64 }

func (a *amount) add(b amount) {
	a.objects += b.objects
	a.bytes += b.bytes
}

func (a amount) isZero() bool { return a == amount{} }
