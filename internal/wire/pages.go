package wire

// The pages' memory is one sparse file without a name, mapped by the agent and read by the recorder: a table of states,
// one 32-bit word a page, the mail (mail.go), and from PagesOffset on the pages, whose size is the agent's choice. Nothing is resident but what was written.
const (
	PageBytes      = 16 << 20 // one thread's counters
	SmallPageBytes = 2 << 20  // the same where the process has little address space
	MaxPages       = 1 << 16  // platform threads alive at a time, and ended ones not folded yet
	PagesOffset    = 1 << 20  // of page 0 in the file
	OverflowPage   = 0        // shared by the threads that found no page: its counts are inexact and said to be
	PrimordialPage = 1        // of the first thread that counts: the one that initialises the VM, later "main"
	FirstCounter   = 8        // counter numbers below are the runtime class's own
)

// States of a page, in the table.
const (
	PageFree  = 0 // zero, can be taken
	PageLive  = 1 // a thread counts in it
	PageEnded = 2 // its thread is gone; the recorder folds it, zeroes it and sets it free
)
