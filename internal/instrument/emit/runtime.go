package emit

import "strings"

// The runtime classes, in internal form. The agent defines them in java.base.
const (
	RuntimeName  = "java/lang/$Mallard"         // counters and blocks of them
	ObjectsName  = "java/lang/$MallardObjects"  // objects that others make
	VMName       = "java/lang/$MallardVM"       // what the VM makes by itself
	ReplacedName = "java/lang/$MallardReplaced" // what compilers replace
	threadsName  = "java/lang/$MallardThreads"  // threads and their blocks
	TreeName     = "java/lang/$MallardTree"     // contexts that are nodes, see [Tree]
	hashName     = "java/lang/$MallardHash"     // contexts that are hashes, see [Hashed]
	codeName     = "java/lang/$MallardCode"     // contexts that are encoded, see [Encoded]
	decoderName  = "java/lang/$MallardDecoder"  // what encoded ones stand for
	tableName    = "java/lang/$MallardTable"    // tables of hashes and of what is encoded
	classesName  = "java/lang/$MallardClasses"  // of what classes objects are that calls make

	ReflectionName = "java/lang/$MallardReflection" // what method handles and reflection call

	TransactionsName = "java/lang/$MallardTransactions" // names for what invocations do
	enteredName      = "java/lang/$MallardEntered"      // names for what threads do

	BytecodesName = "java/lang/$MallardBytecodes" // snapshots by bytecodes

	TagsName = "java/lang/$MallardTags" // which site made an object

	WatchName = "java/lang/$MallardWatch" // who reads objects that are watched

	AttachedName = "java/lang/$MallardAttached" // blocks of threads that have no field for them
)

// RuntimeNames has them in the order in which they are defined, first those that instrumented code calls.
var RuntimeNames = [...]string{
	RuntimeName, ObjectsName, VMName, ReplacedName, threadsName, TreeName, hashName, codeName, TransactionsName,
	enteredName, BytecodesName, ReflectionName, TagsName, WatchName, classesName, decoderName, tableName, AttachedName,
}

// ProbeName is the name of the method of [RuntimeName] that finds out whether the stack has room.
var ProbeName = runtimeMethods[stackProbe].name

// overload gives the descriptor of a method's overload, given the type of nodes. Each method of the runtime class whose
// last parameter is a counter's number has one that takes the node and the index of the word instead, or where nodes
// are objects the number; thrown, which asks for its counter elsewhere, has one too; "" for the others. One that tells
// the classes of objects takes the slot of nodes for classes as well, and the number.
func (m RuntimeMethod) overload(node string) string {
	if m == Thrown {
		return "(Ljava/lang/Throwable;" + node + "I)V"
	}
	parameters, counts := strings.CutSuffix(runtimeMethods[m].descriptor, "I)V")
	switch {
	case !counts || m >= enter:
		return ""
	case m.tells() && node == "J":
		return parameters + node + "III)V"
	}
	return parameters + node + "I)V"
}

// tells reports whether a method finds out of what class an object is.
func (m RuntimeMethod) tells() bool {
	switch m {
	case made, copied, nested, handled, cloned, superCloned, forCaller, boxed, invoked, lost:
		return true
	}
	return false
}

// A RuntimeMethod is a method of a runtime class, an index of runtimeMethods.
type RuntimeMethod uint8

const (
	None RuntimeMethod = iota
	count
	executed
	array1
	array2
	array4
	array8
	arrayRef
	arrayAfter
	multi
	array
	object
	made
	copied
	Stopped
	stops
	Attached
	Asked
	named
	Linked
	members
	returned
	nested
	backtrace
	handled
	cloned
	superCloned
	deferArray
	deferEarly
	countDeferred
	concatenated
	concatenatedOwn
	concat
	record
	boot
	mount
	own
	Reflecting
	reflected
	hidden
	Thrown
	chainEnds
	chainMade
	ownMade
	chainsEnded
	chainEnded
	chainOver
	ran
	replaced
	fresh
	forCaller
	boxed
	invoked
	lost
	handle
	concatSite
	recordSite
	lambdaSite
	revealed
	declared
	terminated
	hide
	show
	runs
	runsHidden
	started
	resumes
	left
	tagOwn
	tagBuilt
	tagLeft
	tagShown
	tagString
	tagNested
	tagBacktrace
	tagChain
	tagNext
	tagBuilder
	enter
	call
	leave
	begin
	beginAny
	announce
	end
	nodeOf
	beginEncoded
	announceEncoded
	endEncoded
	nodeEncoded
	current
	passed
	stackProbe
	calls
	endsCall
	caller
	beginTransaction
	beginTransactionHash
	beginTransactionCode
	beginNumber
	beginNumberHash
	beginNumberCode
	numberOfText
	numberOfValue
	numberOfObject
	overBudget
	endTransaction
	transactionsOver
	transactionsDropped
	forgetTransactions
	forgetTransactionsHash
	forgetTransactionsCode
	enterTransactionTree
	enterTransactionHash
	enterTransactionCode
	exitTransactionTree
	exitTransactionHash
	exitTransactionCode
	readInt
	readLong
	readFloat
	readDouble
	readReference
	readIntAt
	readLongAt
	readFloatAt
	readDoubleAt
	readReferenceAt

	// Where nodes are objects; agentless.go and transactions.go have the descriptors.
	enterAnyAgentless
	construct
	chain
	thrownAgentless
	enterTransactionAgentless
	exitTransactionAgentless
)

// Indexes of runtimeNames, of those that instrumented code calls.
const (
	inCounters = iota
	inObjects
	inVM
	inReplaced
	inThreads
	inTree
	inHash
	inCode
	inTransactions
	inEntered
	inBytecodes
	inReflection
	inTags
	inWatch

	CalledClasses = iota
)

var runtimeMethods = [...]struct {
	name, descriptor string
	class            int
}{
	count:           {"count", "(I)V", inCounters},
	executed:        {"executed", "(II)V", inCounters},
	array1:          {"array1", "(II)V", inCounters},
	array2:          {"array2", "(II)V", inCounters},
	array4:          {"array4", "(II)V", inCounters},
	array8:          {"array8", "(II)V", inCounters},
	arrayRef:        {"arrayRef", "(II)V", inCounters},
	arrayAfter:      {"arrayAfter", "(ILjava/lang/Object;I)V", inCounters},
	multi:           {"multi", "(Ljava/lang/Object;III)V", inObjects},
	array:           {"array", "(Ljava/lang/Object;I)V", inObjects},
	object:          {"object", "(Ljava/lang/Object;I)V", inObjects},
	made:            {"made", "(Ljava/lang/Object;I)V", inObjects},
	Stopped:         {"stopped", "(Ljava/lang/Object;I)V", inVM},
	stops:           {"stops", "(I)V", inVM},
	Attached:        {"attached", "(Ljava/lang/Thread;Ljava/lang/Object;I)V", inVM},
	Asked:           {"asked", "(Ljava/lang/Object;Ljava/lang/String;I)V", inVM},
	named:           {"named", "(Ljava/lang/String;)V", inVM},
	Linked:          {"linked", "(Ljava/lang/Object;I)V", inVM},
	members:         {"members", "([Ljava/lang/Object;I)V", inVM},
	returned:        {"returned", "(Ljava/lang/Object;I)V", inVM},
	copied:          {"copied", "(Ljava/lang/Object;I)V", inObjects},
	nested:          {"nested", "(Ljava/lang/Object;I)V", inObjects},
	backtrace:       {"backtrace", "(Ljava/lang/Throwable;I)V", inVM},
	handled:         {"handled", "(Ljava/lang/Object;I)V", inObjects},
	cloned:          {"cloned", "(Ljava/lang/Object;I)V", inObjects},
	superCloned:     {"superCloned", "(Ljava/lang/Object;Ljava/lang/Class;I)V", inObjects},
	deferArray:      {"deferArray", "(Ljava/lang/Object;)V", inCounters},
	deferEarly:      {"deferEarly", "(Ljava/lang/Object;)V", inCounters},
	countDeferred:   {"countDeferred", "(I)V", inCounters},
	concatenated:    {"concatenated", "(I)V", inCounters},
	concatenatedOwn: {"concatenated", "(Ljava/lang/String;I)V", inObjects},
	concat:          {"concat", "(Ljava/lang/String;I)V", inCounters},
	record:          {"record", "(Ljava/lang/String;I)V", inCounters},
	boot:            {"boot", "()V", inThreads},
	mount:           {"mount", "(Ljava/lang/Thread;)V", inThreads},
	own:             {"own", "()V", inThreads},
	terminated:      {"terminated", "(Ljava/lang/Thread;)V", inThreads},
	hide:            {"hide", "()V", inThreads},
	show:            {"show", "()V", inThreads},
	runs:            {"runs", "()V", inHash},
	runsHidden:      {"runsHidden", "()V", inHash},
	started:         {"started", "()V", inThreads},
	resumes:         {"resumes", "(Z)V", inThreads},
	left:            {"left", "()V", inThreads},
	enter:           {"enter", "(II)J", inTree},
	call:            {"call", "(JI)V", inTree},
	leave:           {"leave", "(J)V", inTree},
	begin:           {"begin", "(II)J", inHash},
	beginAny:        {"beginAny", "(II)J", inHash},
	announce:        {"announce", "(JI)V", inHash},
	end:             {"end", "(JI)V", inHash},
	nodeOf:          {"node", "(JI)J", inHash},
	beginEncoded:    {"begin", "(III)J", inCode},
	announceEncoded: {"announce", "(JI)V", inCode},
	endEncoded:      {"end", "(JI)V", inCode},
	nodeEncoded:     {"node", "(JI)J", inCode},
	current:         {"current", "(J)J", inTree},
	passed:          {"passed", "(I)V", inBytecodes},
	stackProbe:      {"probeStack", "(I)V", inCounters},
	Reflecting:      {"reflecting", "()V", inObjects},
	reflected:       {"reflected", "()V", inObjects},
	chainEnds:       {"chainEnds", "()V", inReplaced},
	chainMade:       {"chainMade", "(Ljava/lang/String;)V", inReplaced},
	ownMade:         {"ownMade", "(Ljava/lang/String;)V", inReplaced},
	chainsEnded:     {"chainsEnded", "()I", inReplaced},
	chainEnded:      {"chainEnded", "(ILjava/lang/String;I)V", inReplaced},
	chainOver:       {"chainOver", "(ILjava/lang/String;I)V", inReplaced},
	ran:             {"ran", "()V", inReplaced},
	replaced:        {"replaced", "(Ljava/lang/Object;I)V", inReplaced},
	fresh:           {"fresh", "(Ljava/lang/Object;Ljava/lang/Object;I)V", inReplaced},
	forCaller:       {"forCaller", "(Ljava/lang/Object;I)V", inReflection},
	boxed:           {"boxed", "(Ljava/lang/Object;Ljava/lang/Object;I)V", inReflection},
	invoked: {"invoked", "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;I)V",
		inReflection},
	lost:       {"lost", "(Ljava/lang/Throwable;Ljava/lang/Object;I)V", inReflection},
	handle:     {"handle", "(Ljava/lang/Object;)V", inReflection},
	concatSite: {"concatSite", "(Ljava/lang/Object;)V", inReflection},
	recordSite: {"recordSite", "(Ljava/lang/Object;)V", inReflection},
	lambdaSite: {"lambdaSite", "(Ljava/lang/Object;)V", inReflection},
	revealed:   {"revealed", "(Ljava/lang/Object;)Ljava/lang/Object;", inReflection},
	declared:   {"declared", "([Ljava/lang/reflect/Field;)[Ljava/lang/reflect/Field;", inReflection},
	calls:      {"calls", "(I)V", inReflection},
	endsCall:   {"called", "()V", inReflection},
	caller:     {"caller", "(I)I", inReflection},
	Thrown:     {"thrown", "(Ljava/lang/Throwable;)V", inVM},
	hidden:     {"hidden", "(Ljava/lang/ClassLoader;[BI)[B", inCounters},

	beginTransaction:       {"begin", "(Ljava/lang/String;JII)J", inTransactions},
	beginTransactionHash:   {"beginHash", "(Ljava/lang/String;JII)J", inTransactions},
	beginTransactionCode:   {"beginCode", "(Ljava/lang/String;JII)J", inTransactions},
	beginNumber:            {"begin", "(IJII)J", inTransactions},
	beginNumberHash:        {"beginHash", "(IJII)J", inTransactions},
	beginNumberCode:        {"beginCode", "(IJII)J", inTransactions},
	numberOfText:           {"numberOf", "(Ljava/lang/String;)I", inTransactions},
	numberOfValue:          {"numberOf", "(J)I", inTransactions},
	numberOfObject:         {"numberOf", "(Ljava/lang/Object;Ljava/lang/String;)I", inTransactions},
	overBudget:             {"overBudget", "(Ljava/lang/String;)Ljava/lang/String;", inTransactions},
	endTransaction:         {"end", "(J)J", inTransactions},
	transactionsOver:       {"over", "(J)J", inTransactions},
	transactionsDropped:    {"dropped", "(J)J", inTransactions},
	forgetTransactions:     {"forget", "(JI)V", inTransactions},
	forgetTransactionsHash: {"forgetHash", "(JI)V", inTransactions},
	forgetTransactionsCode: {"forgetCode", "(JI)V", inTransactions},
	enterTransactionTree:   {"enterTree", "(Ljava/lang/String;JII)V", inEntered},
	enterTransactionHash:   {"enterHash", "(Ljava/lang/String;JII)V", inEntered},
	enterTransactionCode:   {"enterCode", "(Ljava/lang/String;JII)V", inEntered},
	exitTransactionTree:    {"exitTree", "(Ljava/lang/String;JII)V", inEntered},
	exitTransactionHash:    {"exitHash", "(Ljava/lang/String;JII)V", inEntered},
	exitTransactionCode:    {"exitCode", "(Ljava/lang/String;JII)V", inEntered},

	tagOwn:       {"own", "(Ljava/lang/Object;I)V", inTags},
	tagBuilt:     {"built", "(Ljava/lang/Object;I)V", inTags},
	tagLeft:      {"left", "(Ljava/lang/Object;I)V", inTags},
	tagShown:     {"shown", "(Ljava/lang/Object;I)V", inTags},
	tagString:    {"string", "(Ljava/lang/Object;II)V", inTags},
	tagNested:    {"nested", "(Ljava/lang/Object;II)V", inTags},
	tagBacktrace: {"backtrace", "(Ljava/lang/Throwable;I)V", inTags},
	tagChain:     {"chain", "(Ljava/lang/Object;II)V", inTags},
	tagNext:      {"next", "(I)V", inTags},
	tagBuilder:   {"builder", "(Ljava/lang/Object;)V", inTags},

	readInt:         {"read", "(Ljava/lang/Object;II)I", inWatch},
	readLong:        {"read", "(Ljava/lang/Object;JI)J", inWatch},
	readFloat:       {"read", "(Ljava/lang/Object;FI)F", inWatch},
	readDouble:      {"read", "(Ljava/lang/Object;DI)D", inWatch},
	readReference:   {"read", "(Ljava/lang/Object;Ljava/lang/Object;I)V", inWatch},
	readIntAt:       {"read", "(Ljava/lang/Object;III)I", inWatch},
	readLongAt:      {"read", "(Ljava/lang/Object;IJI)J", inWatch},
	readFloatAt:     {"read", "(Ljava/lang/Object;IFI)F", inWatch},
	readDoubleAt:    {"read", "(Ljava/lang/Object;IDI)D", inWatch},
	readReferenceAt: {"read", "(Ljava/lang/Object;ILjava/lang/Object;I)V", inWatch},

	enterAnyAgentless: {"enterAny", "", inTree},
	construct:         {"construct", "", inTree},
	chain:             {"chain", "", inTree},
	thrownAgentless:   {"thrown", "", inTree},

	enterTransactionAgentless: {"enter", "", inEntered},
	exitTransactionAgentless:  {"exit", "", inEntered},
}
