package recording

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// Bounds of the queue, in bytes that its records take, as [size] estimates them.
const (
	ahead    = 1 << 20  // no more of a keyframe is made
	behind   = 8 << 20  // snapshots are left out
	maxQueue = 64 << 20 // records are dropped
)

// stalled is how long nothing has been written when nobody waits for room any more.
const stalled = time.Second

// Recording is one JVM's. Its methods may be called by any goroutine; none but PutDetail, Sync, Written and Close
// waits.
type Recording struct {
	started time.Time
	file    io.Writer
	log     *slog.Logger
	fault   func(point string) // lets a test break things
	done    chan struct{}      // closed when the goroutine has ended
	wake    chan struct{}      // has a value when there is something to do
	freed   chan struct{}      // has a value when something was written

	mu      sync.Mutex // held for moments, never over I/O
	queue   []trace.Record
	queued  int // bytes in queue
	writing int // bytes that the goroutine has taken and not written yet
	flush   bool
	synced  []chan<- bool // of those who wait for what is in queue; each has room for one
	closed  bool
	total   *profile.RunningTotal // of what was put; nil if nobody asks for it
	see     []func(trace.Record)  // are called with what is put
	spaced  bool                  // enough has been written since the last keyframe
	keeper  *keeper               // the goroutine's, once there is one; nil: all is kept
	losses  map[string]uint64     // how often, by kind and detail
	dropped map[string]uint64     // records, by their kind

	// What became of the file.
	failed     error // what keeps it from being whole
	incomplete bool  // a record is missing for good
}

// New begins the recording of a JVM in an empty file, whose Writer is the goroutine that New starts. It ends with
// Close. Tests break things in fault, which is nil otherwise.
func New(file io.Writer, started time.Time, log *slog.Logger, fault func(point string)) *Recording {
	if fault == nil {
		fault = func(string) {}
	}
	r := &Recording{
		started: started, file: file, log: log, fault: fault, done: make(chan struct{}), wake: make(chan struct{}, 1),
		freed:  make(chan struct{}, 1),
		losses: map[string]uint64{}, dropped: map[string]uint64{},
	}
	go r.write(trace.NewWriter(file))
	return r
}

// Keep has the recording give up, from now on, what is older than so much, up to a keyframe. File is what the recording
// is written to, and stays the caller's; when something is given up, another one takes its name. It is to be called
// before the first record.
func (r *Recording) Keep(file *os.File, last time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keeper = newKeeper(file, last)
}

// Elapsed is the time since the recording began, as records have it, in nanoseconds.
func (r *Recording) Elapsed() int64 { return int64(time.Since(r.started)) }

// Started is when it began.
func (r *Recording) Started() time.Time { return r.started }

// Put adds a record, which must not change any more. After Close it does nothing.
func (r *Recording) Put(record trace.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.put(record)
}

// Begin is Put for the process that this is a recording of, which is written soon.
func (r *Recording) Begin(p *trace.Process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.put(p)
	signal(r.wake)
}

func (r *Recording) put(record trace.Record) {
	if r.closed {
		return
	}
	if r.total != nil {
		r.total.Add(record)
	}
	for _, see := range r.see {
		see(record)
	}
	n := size(record)
	if r.queued+r.writing+n > maxQueue {
		r.dropped[trace.KindOf(record).String()] += facts(record)
		r.incomplete = true
		return
	}
	r.queue = append(r.queue, record)
	r.queued += n
	if r.queued >= behind/128 {
		signal(r.wake)
	}
}

// PutDetail is Put for those who may wait until there is room, as long as the disk takes records at all: snapshots,
// which come faster than they are written.
func (r *Recording) PutDetail(record trace.Record) { r.putWithin(behind, record) }

// putWithin waits, as long as the disk takes records at all, while the queue has more than so many bytes.
func (r *Recording) putWithin(most int, record trace.Record) {
	for r.hasMore(most) && r.wait() {
	}
	r.Put(record)
}

// wait waits until something has been written, and reports whether it was.
func (r *Recording) wait() bool {
	select {
	case <-r.freed:
		return true
	case <-time.After(stalled):
		return false
	}
}

// signal gives a channel its value.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Flush has what was put so far written soon.
func (r *Recording) Flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flush = true
	signal(r.wake)
}

// Sync waits until what was put so far is in the file, or stop is closed. It reports whether it is, and all before it.
func (r *Recording) Sync(stop <-chan struct{}) bool {
	synced := make(chan bool, 1)
	r.await(synced)
	select {
	case ok := <-synced:
		return ok
	case <-r.done:
		return false
	case <-stop:
		return false
	}
}

func (r *Recording) await(synced chan<- bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.synced, r.flush = append(r.synced, synced), true
	signal(r.wake)
}

// Open opens what is written for reading, while it grows, and gives the name that it was made by. It is an error where
// that is no regular file, or gives up what is old.
func (r *Recording) Open() (opened *os.File, name string, err error) {
	file, ok := r.file.(*os.File)
	if !ok || r.keeping() != nil {
		return nil, "", fmt.Errorf("recording: %w", errors.ErrUnsupported)
	}
	written, err := file.Stat()
	if err == nil && !written.Mode().IsRegular() {
		err = errors.ErrUnsupported
	}
	if err == nil {
		opened, err = os.Open(fmt.Sprintf("/proc/self/fd/%d", file.Fd())) // it may have another name now
	}
	if err != nil {
		return nil, "", fmt.Errorf("recording: %w", err)
	}
	return opened, file.Name(), nil
}

// Behind reports whether the file is so far behind that snapshots are better left out.
func (r *Recording) Behind() bool { return r.hasMore(behind) }

func (r *Recording) hasMore(bytes int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.queued+r.writing > bytes
}

// Dropped is how many records had no room.
func (r *Recording) Dropped() (n uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, count := range r.dropped {
		n += count
	}
	return n
}

// keyframeEvery is how often there is a keyframe, where enough is recorded: all counters of all threads, so that a
// damaged recording has holes in time but not in counts, and so that a reader can begin there.
const keyframeEvery = time.Minute

// KeyframeDue reports whether it is time for a keyframe, given the instant of the last one. A recording that gives up
// what is old has two at least in what it keeps.
func (r *Recording) KeyframeDue(last int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	since := time.Duration(r.Elapsed() - last)
	return since >= keyframeEvery && r.spaced || r.keeper != nil && since >= r.keeper.keep/2
}

// Loss notes something that the recording lacks, to be written at its end with how often it happened.
func (r *Recording) Loss(kind, detail string) { r.Losses(kind, detail, 1) }

// Losses notes as many of them at a time.
func (r *Recording) Losses(kind, detail string, n uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.losses[kind+"\x00"+detail] += n
}

// Measure keeps, from now on, the sum of what records say was allocated.
func (r *Recording) Measure() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total = profile.NewRunningTotal()
}

// Measured is that sum; false without [Recording.Measure].
func (r *Recording) Measured() (profile.Amount, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.total == nil {
		return profile.Amount{}, false
	}
	return r.total.Total(), true
}

// Watch has a function called with each record that is put from now on, right then. It is done in no time, and calls
// nothing here.
func (r *Recording) Watch(see func(trace.Record)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.see = append(r.see, see)
}

// Finish puts the last records: losses and the end. Records that come later are ignored.
func (r *Recording) Finish(complete bool, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	for kind, n := range r.dropped {
		detail := "records of this kind were dropped: the disk did not take them as fast as they came: " + kind
		r.losses["records\x00"+detail] += n
	}
	for key, n := range r.losses {
		kind, detail, _ := strings.Cut(key, "\x00")
		r.last(&trace.Loss{Kind: kind, Count: n, Detail: detail})
	}
	r.last(&trace.End{Nanos: r.Elapsed(), Complete: complete, ExitReason: reason})
	r.closed = true
	signal(r.wake)
}

// last puts a record for which there is always room.
func (r *Recording) last(record trace.Record) { r.queue = append(r.queue, record) }

// Finished reports whether Finish has been called.
func (r *Recording) Finished() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}

// Written waits until the finished recording is in the file, or for so long. It reports whether it is.
func (r *Recording) Written(timeout time.Duration) bool {
	select {
	case <-r.done:
		return true
	case <-time.After(timeout):
		return false
	}
}

// Close waits until a finished recording is in the file and returns what keeps it from being whole.
func (r *Recording) Close() error {
	<-r.done
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// write is the goroutine that writes.
func (r *Recording) write(w *trace.Writer) {
	defer close(r.done)
	for {
		next := r.take()
		r.batch(w, next)
		if next.last {
			r.conclude(w)
			r.closeKept()
			return
		}
		w = r.giveUp(w)
		if !next.flush && len(next.records) == 0 {
			<-r.wake
		}
	}
}

// batch is what is to be written at a time.
type batch struct {
	records []trace.Record
	flush   bool
	synced  []chan<- bool // are told whether that was so
	last    bool
}

// take empties the queue.
func (r *Recording) take() batch {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := batch{r.queue, r.flush || r.closed, r.synced, r.closed}
	r.writing, r.queue, r.queued, r.flush, r.synced = r.queued, nil, 0, false, nil
	return next
}

// batch writes records. What could not be written, the Writer tries again at the next flush.
func (r *Recording) batch(w *trace.Writer, next batch) {
	for i, record := range next.records {
		next.records[i] = nil
		r.guard(func() error {
			r.fault("encode")
			return w.Write(record)
		})
		if k := r.keeping(); k != nil {
			k.written(record)
		}
		r.written(size(record))
	}
	if next.flush {
		flushed := false
		r.guard(func() error {
			r.fault("flush")
			err := w.Flush()
			lost, _ := w.Lost()
			flushed = err == nil && lost == 0
			return err
		})
		for _, synced := range next.synced {
			synced <- flushed
		}
	}
	r.space(w.KeyframeDue())
}

// keeping is what gives up what is old, nil for nothing.
func (r *Recording) keeping() *keeper {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keeper
}

// giveUp gives up what is old, where that is due, and returns the Writer to go on with.
func (r *Recording) giveUp(w *trace.Writer) *trace.Writer {
	k := r.keeping()
	if k == nil {
		return w
	}
	now := r.Elapsed()
	from, due := k.due(now)
	if !due || w.Flush() != nil {
		return w
	}
	next := w
	r.guard(func() error {
		defer r.fault("gave up")
		trimmed, err := k.trim(from, now)
		k.rests(now, r.Elapsed())
		switch {
		case err != nil:
			r.log.Debug("nothing was given up", "error", err)
			r.Loss("keep", "times that older records were to be given up, and are still there: "+err.Error())
		default:
			blocks, _ := w.Lost()
			r.fail(nil, blocks > 0)
			next = trimmed
		}
		return nil
	})
	return next
}

func (r *Recording) closeKept() {
	if k := r.keeping(); k != nil {
		k.close()
	}
}

func (r *Recording) space(enough bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spaced = enough
}

// guard notes what keeps the recording from being whole. A mistake of ours costs one record.
func (r *Recording) guard(write func() error) {
	defer func() {
		if e := recover(); e != nil {
			r.log.Debug("writing panicked", "error", e, "stack", string(debug.Stack()))
			r.fail(fmt.Errorf("internal error: %v", e), true)
		}
	}()
	err := write()
	tooLarge := errors.Is(err, trace.ErrTooLarge)
	if tooLarge {
		r.Loss("records", err.Error())
	}
	r.fail(err, tooLarge)
}

// written notes that a record of that size is out of the way.
func (r *Recording) written(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writing -= n
	signal(r.freed)
}

func (r *Recording) fail(err error, incomplete bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil && r.failed == nil {
		r.failed = err
	}
	r.incomplete = r.incomplete || incomplete
}

// conclude tries again what could not be written, and forgives failures that were made up for in time.
func (r *Recording) conclude(w *trace.Writer) {
	lost := true
	r.guard(func() error {
		r.fault("conclude")
		err := w.Flush()
		blocks, _ := w.Lost()
		lost = err != nil || blocks > 0
		return err
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if !lost && !r.incomplete {
		r.failed = nil
	}
	if r.failed == nil && r.incomplete {
		r.failed = errors.New("the disk did not take records as fast as they came")
	}
}
