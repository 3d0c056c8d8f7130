package emit

import "mallard/internal/bytecode"

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
type transactionMethods struct{ begin, enter, exit, forget RuntimeMethod }

var (
	treeTransactions = transactionMethods{beginTransaction, enterTransactionTree, exitTransactionTree,
		forgetTransactions}
	hashTransactions = transactionMethods{beginTransactionHash, enterTransactionHash, exitTransactionHash,
		forgetTransactionsHash}
	codeTransactions = transactionMethods{beginTransactionCode, enterTransactionCode, exitTransactionCode,
		forgetTransactionsCode}
)

var duplicate = []bytecode.Instruction{bytecode.Insn(bytecode.OpDup)} // ..., name → ..., name, name
