package contexts

import (
	"sync"

	"mallard/internal/classfile"
	"mallard/internal/transport"
)

// budgets are the tests that ask. Its methods may be called by any goroutine, and wait for nobody.
type budgets struct {
	wake chan struct{} // has a value when a test has begun, or asked

	mu    sync.Mutex
	asked []string          // names of transactions
	over  map[string]string // what is to be said of them, empty: nothing
}

func newBudgets() budgets {
	return budgets{wake: make(chan struct{}, 1), over: map[string]string{}}
}

// ask answers a test, given the name of its transaction; again: it has asked before.
func (b *budgets) ask(name string, again bool) *transport.BudgetAnswer {
	b.mu.Lock()
	defer b.mu.Unlock()
	over, known := b.over[name]
	delete(b.over, name)
	switch {
	case !again: // what is known is of one before that did not wait
		b.asked = append(b.asked, name)
		b.begun()
		return &transport.BudgetAnswer{Later: 1}
	case !known:
		return &transport.BudgetAnswer{Later: 1}
	}
	return &transport.BudgetAnswer{Over: classfile.EncodeModifiedUTF8(over)}
}

// begun says that a test has.
func (b *budgets) begun() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// take gives the names of those that have asked since.
func (b *budgets) take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	names := b.asked
	b.asked = nil
	return names
}

// say takes what is to be said of one.
func (b *budgets) say(name, over string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over[name] = over
}
