package trace

// layouts is the table of record kinds: for each kind its fields in file order.
// Writer, Reader, the text form and the tables of docs/format.md all follow it.
// What the fields mean stands at the types; docs/format.md takes it from there.
var layouts = [...]layout{
	kindProcess: record(irreplaceable,
		text("MallardVersion", func(r *Process) *string { return &r.MallardVersion }),
		signed("PID", func(r *Process) *int64 { return &r.PID }),
		text("JVMVersion", func(r *Process) *string { return &r.JVMVersion }),
		text("JVMName", func(r *Process) *string { return &r.JVMName }),
		text("GC", func(r *Process) *string { return &r.GC }),
		texts("Command", func(r *Process) *[]string { return &r.Command }),
		signed("Started", func(r *Process) *int64 { return &r.Started }),
		texts("Track", func(r *Process) *[]string { return &r.Track }),
		text("Placement", func(r *Process) *string { return &r.Placement }),
		text("Arch", func(r *Process) *string { return &r.Arch }),
		four("ArrayBase", func(r *Process) *[4]uint32 { return &r.ArrayBase }),
		unsigned("RefBytes", func(r *Process) *uint8 { return &r.RefBytes }),
		unsigned("ObjectAlignment", func(r *Process) *uint32 { return &r.ObjectAlignment }),
	),
	kindLoader: record(irreplaceable,
		unsigned("ID", func(r *Loader) *LoaderID { return &r.ID }),
		text("Class", func(r *Loader) *string { return &r.Class }),
		text("Name", func(r *Loader) *string { return &r.Name }),
	),
	kindClassDef: record(irreplaceable,
		unsigned("ID", func(r *ClassDef) *ClassID { return &r.ID }),
		unsigned("Loader", func(r *ClassDef) *LoaderID { return &r.Loader }),
		text("Name", func(r *ClassDef) *string { return &r.Name }),
		text("Source", func(r *ClassDef) *string { return &r.Source }),
		unsigned("SiteBase", func(r *ClassDef) *SiteID { return &r.SiteBase }),
		unsigned("CounterBase", func(r *ClassDef) *CounterID { return &r.CounterBase }),
		unsigned("Counters", func(r *ClassDef) *uint32 { return &r.Counters }),
		rows("Methods", methodDefTable, func(r *ClassDef) *[]MethodDef { return &r.Methods }),
		unsigned("Bytes", func(r *ClassDef) *uint32 { return &r.Bytes }),
		unsigned("NewBytes", func(r *ClassDef) *uint32 { return &r.NewBytes }),
		unsigned("Micros", func(r *ClassDef) *uint32 { return &r.Micros }),
	),
	kindClassSize: record(irreplaceable,
		unsigned("Loader", func(r *ClassSize) *LoaderID { return &r.Loader }),
		text("Name", func(r *ClassSize) *string { return &r.Name }),
		unsigned("Bytes", func(r *ClassSize) *uint32 { return &r.Bytes }),
	),
	kindSkipped: record(irreplaceable,
		unsigned("Loader", func(r *Skipped) *LoaderID { return &r.Loader }),
		text("Name", func(r *Skipped) *string { return &r.Name }),
		text("Reason", func(r *Skipped) *string { return &r.Reason }),
	),
	kindSeen: record(superseded,
		unsigned("Classes", func(r *Seen) *uint64 { return &r.Classes }),
		unsigned("Instrumented", func(r *Seen) *uint64 { return &r.Instrumented }),
		unsigned("Unchanged", func(r *Seen) *uint64 { return &r.Unchanged }),
		unsigned("Skipped", func(r *Seen) *uint64 { return &r.Skipped }),
		unsigned("Hidden", func(r *Seen) *uint64 { return &r.Hidden }),
		unsigned("Methods", func(r *Seen) *uint64 { return &r.Methods }),
		unsigned("Adapted", func(r *Seen) *uint64 { return &r.Adapted }),
		unsigned("Fallback", func(r *Seen) *uint64 { return &r.Fallback }),
		unsigned("Cached", func(r *Seen) *uint64 { return &r.Cached }),
	),
	kindThread: record(irreplaceable,
		unsigned("ID", func(r *Thread) *ThreadID { return &r.ID }),
		text("Name", func(r *Thread) *string { return &r.Name }),
		boolean("Carrier", func(r *Thread) *bool { return &r.Carrier }),
		signed("JavaID", func(r *Thread) *int64 { return &r.JavaID }),
		boolean("Ended", func(r *Thread) *bool { return &r.Ended }),
	),
	kindSnapshot: record(superseded,
		signed("Nanos", func(r *Snapshot) *int64 { return &r.Nanos }),
		unsigned("Thread", func(r *Snapshot) *ThreadID { return &r.Thread }),
		boolean("Full", func(r *Snapshot) *bool { return &r.Full }),
		pairs("Values", counterValueTable, func(r *Snapshot) *[]CounterValue { return &r.Values }),
	),
	kindLiveFrames: record(irreplaceable,
		unsigned("Thread", func(r *LiveFrames) *ThreadID { return &r.Thread }),
		pairs("Terms", siteTermTable, func(r *LiveFrames) *[]SiteTerm { return &r.Terms }),
	),
	kindMark: record(superseded,
		signed("Nanos", func(r *Mark) *int64 { return &r.Nanos }),
		unsigned("JVMBytes", func(r *Mark) *uint64 { return &r.JVMBytes }),
	),
	kindRetired: record(irreplaceable,
		unsigned("Class", func(r *Retired) *ClassID { return &r.Class }),
	),
	kindLoss: record(irreplaceable,
		text("Kind", func(r *Loss) *string { return &r.Kind }),
		unsigned("Count", func(r *Loss) *uint64 { return &r.Count }),
		text("Detail", func(r *Loss) *string { return &r.Detail }),
	),
	kindEnd: record(irreplaceable,
		signed("Nanos", func(r *End) *int64 { return &r.Nanos }),
		boolean("Complete", func(r *End) *bool { return &r.Complete }),
		text("ExitReason", func(r *End) *string { return &r.ExitReason }),
	),
	kindAllocated: record(irreplaceable,
		unsigned("Thread", func(r *Allocated) *ThreadID { return &r.Thread }),
		unsigned("Bytes", func(r *Allocated) *uint64 { return &r.Bytes }),
	),
	kindInternal: record(irreplaceable,
		text("Cause", func(r *Internal) *string { return &r.Cause }),
		unsigned("Bytes", func(r *Internal) *uint64 { return &r.Bytes }),
	),
}

// Tables of the rows inside records.
var (
	methodDefTable = newTable(
		text("Name", func(r *MethodDef) *string { return &r.Name }),
		text("Descriptor", func(r *MethodDef) *string { return &r.Descriptor }),
		rows("Sites", siteDefTable, func(r *MethodDef) *[]SiteDef { return &r.Sites }),
		rows("Counters", counterDefTable, func(r *MethodDef) *[]CounterDef { return &r.Counters }),
		text("Fallback", func(r *MethodDef) *string { return &r.Fallback }),
		boolean("ThrowCrossesPath", func(r *MethodDef) *bool { return &r.ThrowCrossesPath }),
	)
	siteDefTable = newTable(
		delta("BCI", func(r *SiteDef) *int32 { return &r.BCI }),
		delta("Line", func(r *SiteDef) *int32 { return &r.Line }),
		text("Type", func(r *SiteDef) *string { return &r.Type }),
		enum("Kind", siteKindNames, func(r *SiteDef) *SiteKind { return &r.Kind }),
		unsigned("Length", func(r *SiteDef) *uint32 { return &r.Length }),
	)
	counterDefTable = newTable(
		delta("Counter", func(r *CounterDef) *uint32 { return &r.Counter }),
		enum("Kind", counterKindNames, func(r *CounterDef) *CounterKind { return &r.Kind }),
		pairs("Semantics", termTable, func(r *CounterDef) *[]Term { return &r.Semantics }),
	)
	termTable = newTable(
		delta("Site", func(r *Term) *uint32 { return &r.Site }),
		signed("Coefficient", func(r *Term) *int32 { return &r.Coefficient }),
	)
	counterValueTable = newTable(
		delta("Counter", func(r *CounterValue) *CounterID { return &r.Counter }),
		signed("Value", func(r *CounterValue) *int64 { return &r.Value }),
	)
	siteTermTable = newTable(
		delta("Site", func(r *SiteTerm) *SiteID { return &r.Site }),
		signed("Coefficient", func(r *SiteTerm) *int64 { return &r.Coefficient }),
	)
)

// Names of the enumerations, as the text form spells them.
var (
	siteKindNames    = []string{Instance: "Instance", ArrayConst: "ArrayConst", ArrayLen: "ArrayLen", Multi: "Multi"}
	counterKindNames = []string{Path: "Path", Elements: "Elements", Bytes: "Bytes", Arrays: "Arrays", Packed: "Packed"}
)
