package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/jvm"
	"mallard/internal/payload"
	"mallard/internal/wire"
)

// settle is how long recordings of JVMs that are about to end may take after the command has ended.
const settle = 2 * time.Second

// NotStarted is an error that kept the program from running.
type NotStarted struct{ Err error }

func (e *NotStarted) Error() string { return e.Err.Error() }
func (e *NotStarted) Unwrap() error { return e.Err }

// Run starts a command with the agent in every JVM that it ends up starting, records each, and returns the command's exit code: 128+N where
// signal N killed it. The error is a [*NotStarted] where the program did not run; any other concerns recordings only.
func Run(ctx context.Context, o Options) (int, error) {
	r, err := newRecorder(o, adviceOfRun)
	if err != nil {
		return 0, &NotStarted{err}
	}
	defer r.close()
	agent, err := payload.Agent()
	if err != nil {
		return 0, &NotStarted{err}
	}
	folder, err := socketFolder()
	if err != nil {
		return 0, &NotStarted{err}
	}
	defer os.RemoveAll(folder)
	socket := filepath.Join(folder, "agent")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return 0, &NotStarted{err}
	}
	go r.accept(listener)
	defer listener.Close()
	code, err := runCommand(ctx, o, agent, socket)
	if err != nil {
		return 0, &NotStarted{err}
	}
	listener.Close()
	return code, r.settle()
}

// Record serves one agent that started a recorder for itself, on the socket of that descriptor. The agent's options change o, and the agent
// says what is to be said: nobody hears this process.
func Record(fd uintptr, o Options) error {
	conn, err := wire.NewConnFile(os.NewFile(fd, "agent"))
	if err != nil {
		return err
	}
	h, err := receiveHello(conn)
	if err != nil {
		return err
	}
	o.Stderr = nil
	o, err = o.withAgentOptions(h.options)
	if err != nil {
		h.refuse(conn, err)
		return err
	}
	r, err := newRecorder(o, adviceOfAgent)
	if err != nil {
		h.refuse(conn, err)
		return err
	}
	defer r.close()
	r.serve(conn, h)
	return r.settle()
}

// runCommand runs the program with our streams and signals and waits for it.
func runCommand(ctx context.Context, o Options, agent, socket string) (int, error) {
	command, environment, err := jvm.WithAgent(o.Command, os.Environ(), "-agentpath:"+agent+"=socket="+socket)
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = environment
	cmd.Stdin, cmd.Stdout, cmd.Stderr = o.Stdin, o.Stdout, o.Stderr
	signals := make(chan os.Signal, 16)
	for _, s := range forwarded {
		if !signal.Ignored(s) { // as nohup has it; the program inherits that
			signal.Notify(signals, s)
		}
	}
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return 0, notFound(command[0], err)
	}
	ended := make(chan struct{})
	var forwarding sync.WaitGroup
	forwarding.Go(func() { forward(signals, cmd.Process, ended) })
	err = cmd.Wait()
	close(ended)
	forwarding.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), nil
}

// forwarded are the signals that a user sends to mallard and means for the program.
var forwarded = []os.Signal{unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGHUP, unix.SIGUSR1, unix.SIGUSR2}

// forward passes signals on to the program. What a terminal's keys send reaches the program without our help: it is in the same group.
func forward(signals <-chan os.Signal, program *os.Process, ended <-chan struct{}) {
	for {
		select {
		case s := <-signals:
			if (s == unix.SIGINT || s == unix.SIGQUIT) && inForeground() {
				continue
			}
			program.Signal(s)
		case <-ended:
			return
		}
	}
}

// inForeground reports whether a terminal's keys reach our process group.
func inForeground() bool {
	terminal, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer terminal.Close()
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// socketFolder makes a folder for a socket, the user's alone. A socket's path has little room (unix(7)), and a comma would end it in the agent's
// options: temporary folders with such names are not used.
func socketFolder() (string, error) {
	parent := os.TempDir()
	if len(parent) > 64 || strings.ContainsRune(parent, ',') {
		parent = "/tmp"
	}
	return os.MkdirTemp(parent, "mallard-")
}

func notFound(command string, err error) error {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		if filepath.Base(command) == "java" {
			return fmt.Errorf("no %s found; install a JDK, 17 or newer (apt-get install openjdk-17-jdk-headless), or put its bin folder into PATH", command)
		}
		return fmt.Errorf("no command %s found", command)
	}
	return fmt.Errorf("%s cannot be started: %w", command, err)
}

// headroom is how much garbage our collector leaves alone: most recordings end before there is more, and the program has the processors for itself.
const headroom = 32 << 20

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
