package bytecode

// Arrivals tells the instructions, the end of the code included, that control can come to from elsewhere than the one
// before.
func (c *Code) Arrivals() []bool {
	arrivals := make([]bool, len(c.Insns)+1)
	for i, in := range c.Insns {
		for target := range c.Targets(i) {
			arrivals[target] = true
		}
		if in.Op == OpJsr || in.Op == OpJsrW {
			arrivals[i+1] = true // a ret
		}
	}
	for _, h := range c.Handlers {
		arrivals[h.Target] = true
	}
	return arrivals
}
