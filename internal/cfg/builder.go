package cfg

import (
	"errors"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// MethodInfo is what Build must know of a method beside its code.
type MethodInfo struct {
	Name  string // <init> makes it a constructor
	Class string // internal name of its class
	Super string // internal name of the superclass, "" for java/lang/Object
	Zeros []int  // instructions before which φ must be zero as well
}

// Bounds of a graph. A method's length bounds blocks and branches; these bound
// the products that hostile or machine-made code can reach.
const (
	MaxRetEdges       = 1 << 16 // rets times the jsrs they may return to
	MaxExceptionEdges = 1 << 18 // covered blocks times their handlers
)

// ErrTooLarge is returned for a method beyond the bounds.
var ErrTooLarge = errors.New("cfg: too many edges")

// builder holds what the steps of Build hand on.
type builder struct {
	code   *bytecode.Code
	pool   *classfile.Pool
	method MethodInfo

	marks      []mark    // per instruction
	returnTo   []int     // instructions that follow a jsr
	blockOf    []BlockID // per instruction
	blocks     []Block
	edges      []Edge
	exceptions []Exception
}

// mark says what starts at an instruction.
type mark uint8

const (
	leader  mark = 1 << iota // a block
	zero                     // a block where φ is forced to zero
	handler                  // an exception handler
	covered                  // a protected range; no block for that alone
)
