package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"

	"mallard/internal/jvm"
	"mallard/internal/payload"
	"mallard/internal/session"
	"mallard/internal/shim"
	"mallard/internal/transport"
)

// NotStarted is an error that kept the program from running.
type NotStarted struct {
	Err  error
	Code int // exit code of a shell that cannot start it: NotFound, NotExecutable; 0 where Mallard is what failed
}

// What shells return for a command that cannot be started.
const (
	NotExecutable = 126
	NotFound      = 127
)

func (e *NotStarted) Error() string { return e.Err.Error() }
func (e *NotStarted) Unwrap() error { return e.Err }

// Run starts a command with the agent in every JVM that it ends up starting, records each, and returns the command's
// exit code: 128+N where signal N killed it. It returns when all of them have ended, the command and the JVMs; after
// the command, a signal that would have been passed on to it ends the recordings. The error is a [*NotStarted] where
// the program did not run; any other concerns recordings only.
func Run(ctx context.Context, o Options) (int, error) {
	o = o.withObservers()
	r, err := newRecorder(o, runHints)
	if err != nil {
		return 0, &NotStarted{Err: err}
	}
	defer r.close()
	library, err := payload.Agent()
	if err != nil {
		return r.runWithout(ctx, err.Error())
	}
	agent := jvm.Agent{Library: library, JVM: append([]string{jvm.MoreMetadata}, o.Record.Observers.JVMOptions()...)}
	if why := agent.Obstacle(o.Command, os.Environ()); why != "" {
		return r.runWithout(ctx, why)
	}
	folder, err := newSocketFolder()
	if err != nil {
		return 0, &NotStarted{Err: err}
	}
	defer folder.remove()
	socket := folder.socket()
	agent.Options = "socket=" + socket
	in := &injection{agent: agent, log: r.log}
	if !o.NoShims {
		in.shims = &shim.Shims{Folder: filepath.Join(filepath.Dir(library), "shims"),
			Launcher: payload.Launcher(library), Binary: filepath.Join(filepath.Dir(library), "mallard")}
	}
	command, environment, err := in.into(o.Command, os.Environ())
	if err != nil {
		return 0, &NotStarted{Err: err}
	}
	r.record.Command = in.child
	listener, err := r.listen(folder)
	if err != nil {
		return 0, &NotStarted{Err: err}
	}
	defer listener.Close()
	signals := forwardedSignals()
	defer signal.Stop(signals)
	code, err := r.runCommand(ctx, command, environment, signals)
	if err != nil {
		return 0, err
	}
	return code, r.awaitJVMs(socket, signals)
}

// runWithout runs a command that cannot be recorded.
func (r *recorder) runWithout(ctx context.Context, why string) (int, error) {
	r.say("nothing is recorded: " + why)
	signals := forwardedSignals()
	defer signal.Stop(signals)
	return r.runCommand(ctx, r.options.Command, os.Environ(), signals)
}

// forwardedSignals gives those that are passed on to the program, from now on.
func forwardedSignals() chan os.Signal {
	signals := make(chan os.Signal, 16)
	for _, s := range forwarded {
		if !signal.Ignored(s) { // as nohup has it; the program inherits that
			signal.Notify(signals, s)
		}
	}
	return signals
}

// Record serves one agent that started a recorder for itself, on the socket of that descriptor. The agent's options
// change o, and the agent says what is to be said: nobody hears this process.
func Record(fd uintptr, o Options) error {
	conn, err := transport.NewConnFile(os.NewFile(fd, "agent"))
	if err != nil {
		return err
	}
	h, err := session.ReceiveHello(conn)
	if err != nil {
		return err
	}
	o = o.withObservers()
	o.Stderr = nil
	o, err = o.withAgentOptions(h.Options())
	if err != nil {
		h.Refuse(conn, err)
		return err
	}
	r, err := newRecorder(o, agentHints)
	if err != nil {
		h.Refuse(conn, err)
		return err
	}
	defer r.close()
	func() {
		defer conn.Close()
		defer r.recovered()
		r.serve(conn, h)
	}()
	return r.conclude()
}

// runCommand runs the program with our streams, passes signals on to it and waits for it. The error is a [*NotStarted].
func (r *recorder) runCommand(ctx context.Context, command, environment []string,
	signals <-chan os.Signal) (int, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = environment
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r.options.Stdin, r.options.Stdout, r.options.Stderr
	if err := cmd.Start(); err != nil {
		return 0, notStarted(command[0], err)
	}
	ended := make(chan struct{})
	var forwarding sync.WaitGroup
	forwarding.Go(r.guarded("signals", func() { forward(signals, cmd.Process, ended) }))
	err := cmd.Wait()
	close(ended)
	forwarding.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, &NotStarted{Err: err}
	}
	return cmd.ProcessState.ExitCode(), nil
}

// notStarted says as shells do why a command cannot be started.
func notStarted(command string, err error) error {
	switch {
	case !errors.Is(err, exec.ErrNotFound) && !errors.Is(err, os.ErrNotExist):
		var path *os.PathError
		var search *exec.Error
		switch {
		case errors.As(err, &path):
			err = path.Err
		case errors.As(err, &search):
			err = search.Err
		}
		return &NotStarted{fmt.Errorf("%s: %w", command, err), NotExecutable}
	case filepath.Base(command) == "java":
		return &NotStarted{fmt.Errorf("%s: command not found; install a JDK, 17 or newer (apt-get install "+
			"openjdk-17-jdk-headless), or put its bin folder into PATH", command), NotFound}
	}
	return &NotStarted{fmt.Errorf("%s: command not found", command), NotFound}
}
