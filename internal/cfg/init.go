package cfg

// initCalls finds the call of super() or this() among a constructor's calls of
// <init>. The others initialise an object that a new in the constructor made.
type initCalls struct {
	b *builder
}

func newInitCalls(b *builder) *initCalls { return &initCalls{b: b} }

// mayBeOnThis reports whether the invokespecial at i may be super() or this(). It
// errs on the side of yes.
func (c *initCalls) mayBeOnThis(i int) bool {
	class, name, _, err := c.b.pool.Ref(c.b.code.Insns[i].Pool())
	if err != nil {
		return true
	}
	return name == "<init>" && (class == c.b.method.Class || class == c.b.method.Super)
}
