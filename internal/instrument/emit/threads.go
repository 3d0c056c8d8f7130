package emit

import (
	"slices"

	"mallard/internal/bytecode"
)

// threads is the backend of methods without contexts: they count for their thread.
//
//	ldc COUNTER
//	invokestatic java/lang/$MallardObjects.count (I)V
type threads struct {
	*Class
	traits *Traits
}

var (
	threadTraits = &Traits{
		ThreadFields: []Field{blockField},
		ProbesStack:  true, Hooks: true, NamesCallers: true, TellsClasses: true,
	}
	agentlessThreadTraits = &Traits{
		ThreadFields:    []Field{blockField},
		MeasuresStrings: true, AnswersCurrent: true, TellsClasses: true, MadeAside: true,
	}
)

func (t *threads) Traits() *Traits { return t.traits }

func (t *threads) call(number uint32, m RuntimeMethod, before []bytecode.Instruction) ([]bytecode.Instruction, error) {
	invoke, err := t.Invoke(m)
	if err != nil {
		return nil, err
	}
	push, err := t.push(number)
	return append(slices.Grow(slices.Clip(before), 2), push, invoke), err
}

func (t *threads) Slots(stack int) int { return stack }

func (t *threads) node() ([]bytecode.Instruction, error) { return nil, nil }

// There is no context to enter, to announce or to end.

func (t *threads) Enter(*Entry) ([]bytecode.Instruction, int, error)  { return nil, 0, nil }
func (t *threads) Store() bytecode.Instruction                        { return bytecode.Insn(bytecode.OpNop) }
func (t *threads) Local() (v bytecode.VerificationType, err error)    { return v, nil }
func (t *threads) Announce(Call) ([]bytecode.Instruction, error)      { return nil, nil }
func (t *threads) Transaction(Call) (Around, error)                   { return Around{}, nil }
func (t *threads) End(bool) ([]bytecode.Instruction, error)           { return nil, nil }
func (t *threads) Begin(*Naming, int) ([]bytecode.Instruction, error) { return nil, nil }
func (t *threads) Over(bool) ([]bytecode.Instruction, error)          { return nil, nil }
func (t *threads) Guard(bool) (*bytecode.Guard, error)                { return nil, nil }
