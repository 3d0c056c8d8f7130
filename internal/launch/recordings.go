package launch

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"mallard/internal/session"
	"mallard/internal/transport"
)

// gracePeriod is how long JVMs may take to end after the command has before mallard says what it waits for.
const gracePeriod = 2 * time.Second

// headroom is how much garbage our collector leaves alone beyond what it is used to. What lives is a few MB, and
// marking it takes a millisecond: more room would be memory for nothing.
const headroom = 1 << 20

// recorder holds the sessions of all JVMs under one command.
type recorder struct {
	// of headroom bytes, never touched and so never resident, but counted when the collector decides to run
	ballast []byte
	options Options
	record  session.Options // options.Record, completed
	out     *outputs
	log     *slog.Logger

	attached int // the process that is attached to; 0: the command's are recorded

	mu          sync.Mutex
	sessions    map[*session.Session]bool // still running
	connections int                       // active: agents that are connected
	drained     chan struct{}             // has a value when there are no connections any more
	agents      int                       // that have connected so far
	failures    []error
}

func newRecorder(o Options, a errorHints) (*recorder, error) {
	out, err := newOutputs(o.Output, o.Force, a)
	if err != nil {
		return nil, err
	}
	level := slog.LevelInfo
	if os.Getenv("MALLARD_DEBUG") != "" {
		level = slog.LevelDebug
	}
	to := o.Stderr
	if to == nil {
		to = io.Discard
	}
	r := &recorder{
		ballast: make([]byte, headroom), options: o, record: o.Record, out: out,
		log:      slog.New(slog.NewTextHandler(to, &slog.HandlerOptions{Level: level})),
		sessions: map[*session.Session]bool{}, drained: make(chan struct{}, 1),
	}
	r.record.Quiet, r.record.Launched = o.Quiet, len(o.Command) > 0
	if o.Stderr != nil {
		r.record.Say = r.say
	}
	return r, nil
}

func (r *recorder) close() { r.out.close() }

// say tells the user something; only where somebody listens.
func (r *recorder) say(text string) { fmt.Fprintf(r.options.Stderr, "mallard: %s\n", text) }

// listen opens the socket that agents connect to, and takes their connections until it is closed.
func (r *recorder) listen(folder *socketFolder) (*net.UnixListener, error) {
	socket := folder.socket()
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return nil, err
	}
	if os.Geteuid() == 0 { // a JVM of another user's may have to connect; who does is looked at
		if err := errors.Join(os.Chmod(folder.path, 0o711), os.Chmod(socket, 0o666)); err != nil {
			return nil, errors.Join(err, listener.Close())
		}
	}
	go r.accept(listener)
	return listener, nil
}

// accept takes connections until the listener is closed.
func (r *recorder) accept(l *net.UnixListener) {
	for {
		c, err := l.AcceptUnix()
		if err != nil {
			return
		}
		conn, err := transport.NewConn(c)
		if err != nil {
			r.note(err)
			continue
		}
		r.accepted(conn)
	}
}

// accepted has an agent served, which ends with the connection.
func (r *recorder) accepted(conn *transport.Conn) {
	wanted := false
	r.guarded("accept", func() {
		ours, err := r.trusted(conn)
		if wanted = err == nil && ours; !wanted {
			r.log.Debug("a connection of another user's was refused", "error", err)
		}
	})()
	if !wanted {
		conn.Close()
		return
	}
	r.connected(1)
	go func() {
		defer r.connected(-1)
		defer conn.Close()
		r.guarded("agent", func() {
			h, err := session.ReceiveHello(conn)
			r.helloReceived()
			if err == nil {
				r.serve(conn, h)
			}
		})()
	}()
}

// trusted reports whether an agent's process may be recorded: of this user's or root's, or one that root's command has
// started as another user, or that root attaches to.
func (r *recorder) trusted(conn *transport.Conn) (bool, error) {
	pid, uid, err := conn.Peer()
	if r.attached != 0 {
		return err == nil && pid == r.attached, err
	}
	if err != nil || uid == os.Geteuid() || uid == 0 {
		return err == nil, err
	}
	return os.Geteuid() == 0 && isDescendant(pid), nil
}

// helloReceived notes that an agent has connected.
func (r *recorder) helloReceived() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.agents++
}

// guarded is f as a goroutine, or a part of one, which a mistake of ours ends, and nothing else.
func (r *recorder) guarded(name string, f func()) func() {
	return func() {
		defer r.recovered()
		if r.record.Fault != nil {
			r.record.Fault(name)
		}
		f()
	}
}

// recovered, deferred, makes a failure of a mistake of ours: the program runs on, without us where it must.
func (r *recorder) recovered() {
	if e := recover(); e != nil {
		r.log.Debug("recording panicked", "error", e, "stack", string(debug.Stack()))
		r.note(fmt.Errorf("internal error: %v", e))
	}
}

func (r *recorder) connected(change int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.connections += change
	if r.connections == 0 {
		select {
		case r.drained <- struct{}{}:
		default:
		}
	}
}

// busy reports whether agents are connected.
func (r *recorder) busy() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.connections > 0
}

func (r *recorder) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, err)
}

// serve records one JVM.
func (r *recorder) serve(conn *transport.Conn, h *session.Hello) {
	s, err := session.Start(conn, h, r.record, r.open, r.log)
	if err != nil {
		return // the agent has said why
	}
	r.running(s, true)
	defer r.running(s, false)
	s.Run()
	r.sayDetached(s)
	if text := s.FinalMessage(); text != "" && r.record.Say != nil {
		r.record.Say(text)
	}
}

// open opens the file for a JVM.
func (r *recorder) open(pid int, started time.Time) (*os.File, error) {
	f, err := r.out.open(pid, started)
	if err == nil && r.options.Opened != nil {
		r.options.Opened(f.Name())
	}
	return f, err
}

// running notes that a session begins or ends.
func (r *recorder) running(s *session.Session, runs bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if runs {
		r.sessions[s] = true
	} else {
		delete(r.sessions, s)
	}
}

// awaitJVMs waits for the JVMs that the command leaves behind: for a while, until those that are about to start have
// connected and those that are about to end have ended; then until all have ended or a signal ends their recordings.
func (r *recorder) awaitJVMs(socket string, signals <-chan os.Signal) error {
	r.guarded("await", func() { r.wait(socket, signals) })()
	return r.conclude()
}

func (r *recorder) wait(socket string, signals <-chan os.Signal) {
	grace := time.After(gracePeriod)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	reported := map[*session.Session]bool{}
	for waiting, interrupted := false, false; r.busy() || !waiting && mayStartJVMs(socket); {
		select {
		case <-r.drained:
		case <-tick.C:
		case <-grace:
			waiting = true
		case <-signals:
			waiting, interrupted = true, true
			r.endRecordings()
		}
		if waiting && !interrupted {
			r.sayWaiting(reported)
		}
	}
}

// conclude says what went wrong.
func (r *recorder) conclude() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.agents == 0 && len(r.options.Command) > 0 {
		r.failures = append(r.failures,
			fmt.Errorf("no JVM started by %s could be recorded", r.options.Command[0]))
	}
	return errors.Join(r.failures...)
}

// sayWaiting says why mallard goes on, once for each JVM: some have yet to connect.
func (r *recorder) sayWaiting(reported map[*session.Session]bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for s := range r.sessions {
		if r.options.Stderr != nil && !r.options.Quiet && !reported[s] {
			reported[s] = true
			r.say(fmt.Sprintf("the command has ended, process %d has not; recording until it ends, or until Ctrl-C",
				s.PID()))
		}
	}
}

// endRecordings ends all recordings.
func (r *recorder) endRecordings() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for s := range r.sessions {
		r.failures = append(r.failures, fmt.Errorf("process %d runs on; its recording ends here", s.PID()))
		s.EndRecording()
	}
}

// sayDetached says what became of a JVM that runs on.
func (r *recorder) sayDetached(s *session.Session) {
	d := s.Detached()
	switch {
	case !r.record.Attached || d.Took == 0 || r.options.Quiet && d.Failed == 0:
	case d.Failed > 0:
		r.say(fmt.Sprintf("process %d runs on; %d of its classes could not be changed back, and go on counting for "+
			"nobody", s.PID(), d.Failed))
	default:
		r.say(fmt.Sprintf("process %d runs on as it was before; its classes were changed back within %v", s.PID(),
			d.Took.Round(10*time.Millisecond)))
	}
}
