package trace

// Record is a pointer to one of the record types: *Process, *Loader,
// *ClassDef, *ClassSize, *Skipped, *Seen, *Thread, *Snapshot, *LiveFrames,
// *Mark, *Retired, *Loss, *End, *Allocated,
// *Internal, *Adaptation, *MethodName, *Contexts, *ContextCounts,
// *ContextLiveFrames, *ContextTotals,
// *Transaction, *Events, *EventsLost, *Keyframe, *Index, *ClassObjects,
// *EventsKeyframe, *Kept,
// *TransactionSizes, *Program, *Sums, *ContextTags.
type Record interface{ kind() Kind }

// Kind is the number of a record type in the file.
type Kind uint8

const (
	kindProcess Kind = 1 + iota
	kindLoader
	kindClassDef
	kindClassSize
	kindSkipped
	kindSeen
	kindThread
	kindSnapshot
	kindLiveFrames
	kindMark
	kindRetired
	kindLoss
	kindEnd
	kindAllocated
	kindInternal
	kindAdaptation
	kindMethodName
	kindContexts
	kindContextCounts
	kindContextLiveFrames
	kindContextTotals
	kindTransaction
	kindEvents
	kindEventsLost
	kindKeyframe
	kindIndex
	kindClassObjects
	kindEventsKeyframe
	kindKept
	kindTransactionSizes
	kindProgram
	kindSums
	kindContextTags
)

func (*Process) kind() Kind           { return kindProcess }
func (*Loader) kind() Kind            { return kindLoader }
func (*ClassDef) kind() Kind          { return kindClassDef }
func (*ClassSize) kind() Kind         { return kindClassSize }
func (*Skipped) kind() Kind           { return kindSkipped }
func (*Seen) kind() Kind              { return kindSeen }
func (*Thread) kind() Kind            { return kindThread }
func (*Snapshot) kind() Kind          { return kindSnapshot }
func (*LiveFrames) kind() Kind        { return kindLiveFrames }
func (*Mark) kind() Kind              { return kindMark }
func (*Retired) kind() Kind           { return kindRetired }
func (*Loss) kind() Kind              { return kindLoss }
func (*End) kind() Kind               { return kindEnd }
func (*Allocated) kind() Kind         { return kindAllocated }
func (*Internal) kind() Kind          { return kindInternal }
func (*Adaptation) kind() Kind        { return kindAdaptation }
func (*MethodName) kind() Kind        { return kindMethodName }
func (*Contexts) kind() Kind          { return kindContexts }
func (*ContextCounts) kind() Kind     { return kindContextCounts }
func (*ContextLiveFrames) kind() Kind { return kindContextLiveFrames }
func (*ContextTotals) kind() Kind     { return kindContextTotals }
func (*Transaction) kind() Kind       { return kindTransaction }
func (*Events) kind() Kind            { return kindEvents }
func (*EventsLost) kind() Kind        { return kindEventsLost }
func (*Keyframe) kind() Kind          { return kindKeyframe }
func (*Index) kind() Kind             { return kindIndex }
func (*ClassObjects) kind() Kind      { return kindClassObjects }
func (*EventsKeyframe) kind() Kind    { return kindEventsKeyframe }
func (*Kept) kind() Kind              { return kindKept }
func (*TransactionSizes) kind() Kind  { return kindTransactionSizes }
func (*Program) kind() Kind           { return kindProgram }
func (*Sums) kind() Kind              { return kindSums }
func (*ContextTags) kind() Kind       { return kindContextTags }

// KindOf is the kind of a record.
func KindOf(r Record) Kind { return r.kind() }
