package launch

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"mallard/internal/jvm"
	"mallard/internal/payload"
)

// Attach records a JVM that runs already, with that process id, until it ends, or for so long (0: no limit) from when
// its classes count, or until the context ends or a signal comes that would end this process. Then the JVM is left as
// it was. The error concerns that JVM or its recording.
func Attach(ctx context.Context, pid int, during time.Duration, o Options) error {
	o = o.withObservers()
	o.Record.Attached = true
	attached, err := newAttachment(pid)
	if err != nil {
		return err
	}
	defer attached.end()
	ready := make(chan struct{})
	o.Record.Looked = func() { close(ready) }
	r, err := newRecorder(o, runHints)
	if err != nil {
		return err
	}
	defer r.close()
	folder, err := newSocketFolder()
	if err != nil {
		return err
	}
	defer folder.remove()
	library, err := freshAgent()
	if err != nil {
		return err
	}
	defer os.Remove(library)
	r.attached = pid
	listener, err := r.listen(folder)
	if err != nil {
		return err
	}
	defer listener.Close()
	signals := forwardedSignals()
	defer signal.Stop(signals)
	agent := jvm.Agent{Library: library, Options: "socket=" + folder.socket()}
	if err := agent.Load(ctx, pid); err != nil {
		return err
	}
	looked, over := (<-chan struct{})(ready), (<-chan time.Time)(nil)
	for leaving := false; r.busy(); {
		select {
		case <-r.drained:
			continue
		case <-looked:
			looked = nil
			if during > 0 {
				over = time.After(during)
			}
			continue
		case <-over:
		case <-ctx.Done():
		case <-signals:
			if leaving { // again: not even the JVM's classes are waited for
				r.endRecordings()
			}
		}
		leaving = true
		r.detach()
		ctx, over = context.WithoutCancel(ctx), nil
	}
	return r.conclude()
}

// agentCopies are what copies of the agent's library are called.
const agentCopies = "libmallard-*.so"

// freshAgent gives a copy of the agent's library. What a JVM has loaded once it does not load again, and an agent that
// has left a JVM does not begin anew.
func freshAgent() (string, error) {
	library, err := payload.Agent()
	if err != nil {
		return "", err
	}
	bytes, err := os.ReadFile(library)
	if err != nil {
		return "", err
	}
	removeStaleAgents(filepath.Dir(library))
	file, err := os.CreateTemp(filepath.Dir(library), agentCopies)
	if err != nil {
		return "", err
	}
	_, err = file.Write(bytes)
	if err = errors.Join(err, file.Chmod(0o755), file.Close()); err != nil {
		os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

// removeStaleAgents removes copies of recorders that were killed. A JVM that has loaded one does not need the file.
func removeStaleAgents(folder string) {
	copies, err := filepath.Glob(filepath.Join(folder, agentCopies))
	if err != nil {
		return // the pattern is well formed
	}
	for _, file := range copies {
		if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) > time.Hour {
			os.Remove(file)
		}
	}
}

// detach has all JVMs left as they were.
func (r *recorder) detach() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for s := range r.sessions {
		s.Detach()
	}
}
