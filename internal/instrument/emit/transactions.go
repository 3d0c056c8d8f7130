package emit

import (
	"strconv"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// A named transaction begins and ends where code calls mallard.Context.begin and end. The invocation that begins one
// goes on in another context, whose caller is the transaction; see java.lang.$MallardTransactions. So its local
// variable gets another value behind the call:
//
//	dup                                    the name
//	invokestatic mallard/Context.begin     which does nothing
//	lload N; ldc METHOD; sipush SLOT       of the call
//	invokestatic java/lang/$MallardTransactions.begin (Ljava/lang/String;JII)J, or beginHash, or beginCode
//	lstore N
//	...
//	invokestatic mallard/Context.end       which does nothing
//	lload N
//	invokestatic java/lang/$MallardTransactions.end (J)J
//	lstore N
//
// φ is zero before and behind both calls. What such a method has not ended when it returns ends there
// ($MallardTransactions.over, in front of end or leave); what it has not ended when an exception leaves it is taken
// away when it is called the next time (forget, forgetHash or forgetCode, right behind enter or begin).

// BeginCall is what the call says that begins a transaction: [Call.Callee].
const BeginCall = "begin(Ljava/lang/String;)V"

const endCall = "end()V"

// The same for a thread; see java.lang.$MallardEntered. Behind these calls:
//
//	lload N; ldc METHOD; sipush SLOT       of the call, above the name
//	invokestatic java/lang/$MallardEntered.enterTree (Ljava/lang/String;JII)V
//
// or enterHash, enterCode, exitTree, exitHash, exitCode.
const (
	enterCall = "enter(Ljava/lang/String;)V"
	exitCall  = "exit(Ljava/lang/String;)V"
)

// A method may be a transaction by itself, without a call of begin. Then the prologue goes on, and an exception that
// leaves the method ends it in a guard:
//
//	ldc NAME                               or an argument, or that and an ldc of what to ask it
//	invokestatic java/lang/$MallardTransactions.numberOf (Ljava/lang/String;)I, or one of its overloads
//	lload N; ldc METHOD; sipush SLOT       a slot of its own
//	invokestatic java/lang/$MallardTransactions.begin (IJII)J, or beginHash, or beginCode
//	lstore N
//	...
//	any exception:
//	lload N
//	invokestatic java/lang/$MallardTransactions.over (J)J
//	lstore N
//	athrow
//
// Where the times round of a loop are transactions, the same stands in the loop.

// Naming says how the invocations of a method are named that are transactions.
type Naming struct {
	Name string // "": that of an argument

	Slot  uint16   // of the local variables: where that is
	Type  string   // its descriptor: no float and no double
	Calls []string // its methods without arguments whose results, strings, are the name; none: its own value is

	// the times round of the outermost loops are transactions in place of invocations; Name has the loop's line behind
	// it then
	Loops bool
}

// At is the naming of a loop in a line.
func (n *Naming) At(line int) *Naming {
	if line < 0 {
		return n
	}
	return &Naming{Name: n.Name + ":" + strconv.Itoa(line)}
}

const contextClass = "mallard/Context" // of the jar for programs

const currentCall = "current()J"

const stringType = "Ljava/lang/String;"

// A Transaction says what a call is to transactions.
type Transaction uint8

const (
	NoTransaction Transaction = iota
	Begins
	Ends
	Enters
	Exits
	AsksForContext // where its caller answers; elsewhere mallard.Context.current has code of its own
)

// TransactionOf looks at a call of a static method.
func (t *Traits) TransactionOf(in bytecode.Instruction, class, call string) Transaction {
	switch {
	case class != contextClass || in.Op != bytecode.OpInvokestatic:
	case call == BeginCall:
		return Begins
	case call == endCall:
		return Ends
	case call == enterCall:
		return Enters
	case call == exitCall:
		return Exits
	case call == currentCall && t.AnswersCurrent:
		return AsksForContext
	}
	return NoTransaction
}

// OfInvocation reports whether it begins or ends one of the invocation's.
func (t Transaction) OfInvocation() bool { return t == Begins || t == Ends }

// transactionMethods are those of the runtime classes that stand behind calls, and forget.
type transactionMethods struct{ begin, beginNumber, enter, exit, forget RuntimeMethod }

var (
	treeTransactions = transactionMethods{beginTransaction, beginNumber, enterTransactionTree, exitTransactionTree,
		forgetTransactions}
	hashTransactions = transactionMethods{beginTransactionHash, beginNumberHash, enterTransactionHash,
		exitTransactionHash, forgetTransactionsHash}
	codeTransactions = transactionMethods{beginTransactionCode, beginNumberCode, enterTransactionCode,
		exitTransactionCode, forgetTransactionsCode}
)

var duplicate = []bytecode.Instruction{bytecode.Insn(bytecode.OpDup)} // ..., name → ..., name, name

// name gives the code that pushes the number of a transaction.
func (c *Class) name(n *Naming) ([]bytecode.Instruction, error) {
	if n.Name != "" {
		push, err := c.pushString(n.Name)
		if err != nil {
			return nil, err
		}
		invoke, err := c.Invoke(numberOfText)
		return []bytecode.Instruction{push, invoke}, err // name → number
	}
	switch n.Type[0] {
	case 'J':
		invoke, err := c.Invoke(numberOfValue)
		return []bytecode.Instruction{bytecode.LoadStore(bytecode.OpLload, n.Slot), invoke}, err // value → number
	case 'L', '[':
		calls, err := c.pushString(strings.Join(n.Calls, " "))
		if err != nil {
			return nil, err
		}
		invoke, err := c.Invoke(numberOfObject)
		// object, calls → number
		return []bytecode.Instruction{bytecode.LoadStore(bytecode.OpAload, n.Slot), calls, invoke}, err
	}
	invoke, err := c.Invoke(numberOfValue)
	return []bytecode.Instruction{bytecode.LoadStore(bytecode.OpIload, n.Slot), bytecode.Insn(bytecode.OpI2l),
		invoke}, err // value → number
}

// longestName bounds the names of transactions that are constants, in bytes of modified UTF-8.
const longestName = 4096

// pushString gives the instruction that pushes a string in modified UTF-8, the end left out of one that is too long.
func (c *Class) pushString(s string) (bytecode.Instruction, error) {
	end := min(len(s), longestName)
	for end < len(s) && s[end]&0xc0 == 0x80 { // inside a character
		end--
	}
	utf8, err := c.pool.Append(classfile.Entry{Tag: classfile.TagUtf8, Utf8: s[:end]})
	if err != nil {
		return bytecode.Instruction{}, err
	}
	i, err := c.pool.Append(classfile.Entry{Tag: classfile.TagString, A: utf8})
	return c.ldc(i), err
}
