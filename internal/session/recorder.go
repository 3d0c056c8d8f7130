package session

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"mallard/internal/wire"
)

// settle is how long recordings of JVMs that are about to end may take after the command has ended.
const settle = 2 * time.Second

// recorder holds the sessions of all JVMs under one command.
type recorder struct {
	ballast []byte // of headroom bytes, never touched and so never resident, but counted when the collector decides to run
	options Options
	out     *outputs
	log     *slog.Logger

	mu       sync.Mutex
	sessions map[*Session]bool // still running
	running  sync.WaitGroup
	seen     int
	failures []error
}

func newRecorder(o Options, a advice) (*recorder, error) {
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
	return &recorder{ballast: make([]byte, headroom), options: o, out: out, log: slog.New(slog.NewTextHandler(to, &slog.HandlerOptions{Level: level})), sessions: map[*Session]bool{}}, nil
}

func (r *recorder) close() { r.out.close() }

func (r *recorder) accept(l *net.UnixListener) {
	for {
		c, err := l.AcceptUnix()
		if err != nil {
			return
		}
		conn, err := wire.NewConn(c)
		if err != nil {
			r.note(err)
			continue
		}
		r.running.Add(1)
		go func() {
			defer r.running.Done()
			h, err := receiveHello(conn)
			r.mu.Lock()
			r.seen++
			r.mu.Unlock()
			if err != nil {
				conn.Close()
				return
			}
			r.serve(conn, h)
		}()
	}
}

func (r *recorder) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, err)
}

// serve records one JVM.
func (r *recorder) serve(conn *wire.Conn, h *hello) {
	defer conn.Close()
	s, err := start(conn, h, r.options, r.out, r.log)
	if err != nil {
		return // the agent has said why
	}
	r.mu.Lock()
	r.sessions[s] = true
	r.mu.Unlock()
	s.run()
	r.mu.Lock()
	delete(r.sessions, s)
	r.mu.Unlock()
	if words := s.lastWords(); words != "" && r.options.Stderr != nil {
		fmt.Fprintf(r.options.Stderr, "mallard: %s\n", words)
	}
}

// settle waits for the recordings, ends those of JVMs that outlive the command, and says what went wrong.
func (r *recorder) settle() error {
	done := make(chan struct{})
	go func() {
		r.running.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(settle):
		r.mu.Lock()
		for s := range r.sessions {
			r.failures = append(r.failures, fmt.Errorf("process %d outlives the command; its recording ends here", s.pid))
			s.conn.Shutdown()
		}
		r.mu.Unlock()
		<-done
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen == 0 && len(r.options.Command) > 0 {
		r.failures = append(r.failures, fmt.Errorf("nothing was recorded: %s started no JVM that Mallard could get into", r.options.Command[0]))
	}
	return errors.Join(r.failures...)
}
