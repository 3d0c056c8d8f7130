package contexts

import (
	"time"

	"mallard/internal/instrument"
)

// Run answers tests with budgets and, where contexts are encoded, gives calls their constants, while threads run.
func (c *Contexts) Run(stop <-chan struct{}) {
	tests := &budgetReader{stop: stop}
	defer tests.close()
	var e *encoder
	var look <-chan time.Time // nil: never
	if c.options.Representation == instrument.Encoded {
		e = newEncoder(c.arena)
		look = time.After(e.wait)
	}
	for {
		select {
		case <-stop:
			return
		case <-c.budgets.wake:
			c.answerBudgets(tests)
		case <-look:
			c.encode(e)
			look = time.After(e.wait)
		}
	}
}
