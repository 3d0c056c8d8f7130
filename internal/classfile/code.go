package classfile

// PC is an offset into the bytecode of a method, or the length of a range of
// it. Slot is the number of a local variable.
type (
	PC   = uint16
	Slot = uint16
)

// Code is the Code attribute of a method (JVMS 4.7.3). Bytecode is not looked
// into.
type Code struct {
	MaxStack, MaxLocals uint16
	Bytecode            []byte
	Handlers            []Handler
	Attributes          []Attribute
}

// A Handler is an entry of a method's exception table: it catches what is
// thrown in [StartPC, EndPC). CatchType is a Class constant, 0 for everything.
type Handler struct {
	StartPC, EndPC, HandlerPC PC
	CatchType                 PoolIndex
}

// DecodeCode decodes the contents of a Code attribute; the result aliases info.
func DecodeCode(info []byte) (*Code, error) { return DecodeInfo[Code](info) }

// AppendTo appends the contents of the attribute, the inverse of DecodeCode.
// Bytecode that is empty or longer than MaxCodeBytes is an error.
func (a *Code) AppendTo(dst []byte) ([]byte, error) { return AppendInfo(dst, a) }

func (a *Code) layout(c *codec) {
	u2(c, &a.MaxStack)
	u2(c, &a.MaxLocals)
	c.sized(&a.Bytecode)
	if n := len(a.Bytecode); c.err == nil && (n == 0 || n > MaxCodeBytes) {
		c.failf("code_length is %d", n)
		return
	}
	list(c, &a.Handlers, 8, (*Handler).layout)
	c.attributes(&a.Attributes)
}

func (h *Handler) layout(c *codec) {
	u2(c, &h.StartPC)
	u2(c, &h.EndPC)
	u2(c, &h.HandlerPC)
	u2(c, &h.CatchType)
}
