package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/trace"
)

// keeper gives up what is older than is to be kept. Whenever the file reaches back twice as far, what is left of it,
// from a keyframe on, is written to a file beside it, which then takes its name: under that there is a whole recording
// at any moment.
type keeper struct {
	keep time.Duration
	path string
	file *os.File // that is written to
	ours bool     // it is one that trim has made

	keyframes []int64 // whole ones that the file has, instants
	begun     int64   // instant of one that is not whole yet; 0: there is none
	reaches   int64   // how far the file reaches back, an instant
	after     int64   // when the next attempt is made, an instant
}

// errMoved says that the file is not where it was made.
var errMoved = errors.New("it was moved or replaced")

func newKeeper(file *os.File, keep time.Duration) *keeper {
	return &keeper{keep: keep, path: file.Name(), file: file}
}

// written takes note of a record that was written.
func (k *keeper) written(r trace.Record) {
	switch r := r.(type) {
	case *trace.Keyframe:
		k.begun = r.Nanos
	case *trace.Mark:
		if k.begun > 0 {
			k.keyframes, k.begun = append(k.keyframes, k.begun), 0
		}
	}
}

// due gives the keyframe that the file is to begin with from now on, an instant; false as long as it may stay as it is.
func (k *keeper) due(now int64) (from int64, due bool) {
	if now < k.after || now-k.reaches < 2*int64(k.keep) {
		return 0, false
	}
	for _, nanos := range k.keyframes {
		if now-nanos >= int64(k.keep) {
			from = nanos
		}
	}
	return from, from > k.reaches
}

// rest is how much longer than an attempt the time between two is at least: who writes has other work.
const rest = 4

// rests says that an attempt, which began at a moment, is over now. Instants.
func (k *keeper) rests(began, now int64) { k.after = max(k.after, now+rest*(now-began)) }

// trim has the file begin with a keyframe, and gives the Writer that goes on with it. The one before has been flushed.
// Where it fails, all is as it was, and it is tried again later.
func (k *keeper) trim(from, now int64) (w *trace.Writer, err error) {
	k.after = now + int64(k.keep)
	old, err := k.open()
	if err != nil {
		return nil, err
	}
	defer old.Close()
	next, err := k.beside(old)
	if err != nil {
		return nil, err
	}
	w = trace.NewWriter(next)
	if err = trace.Trim(w, old, trace.Kept{From: from, For: int64(k.keep)}); err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = os.Rename(next.Name(), k.path)
	}
	if err != nil {
		next.Close()
		os.Remove(next.Name())
		return nil, fmt.Errorf("recording: %w", err)
	}
	k.close()
	k.file, k.ours, k.reaches, k.after = next, true, from, 0
	for len(k.keyframes) > 0 && k.keyframes[0] <= from {
		k.keyframes = k.keyframes[1:]
	}
	return w, nil
}

// open opens what was written so far, if it is what has the file's name.
func (k *keeper) open() (*os.File, error) {
	ours, err := k.file.Stat()
	if err != nil {
		return nil, err
	}
	old, err := os.Open(k.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errMoved
	}
	if err != nil {
		return nil, err
	}
	if info, err := old.Stat(); err != nil || !os.SameFile(info, ours) || !info.Mode().IsRegular() {
		old.Close()
		return nil, errMoved
	}
	return old, nil
}

// beside makes the file that is to take the name of another one. What a recorder that was killed has left there goes.
func (k *keeper) beside(old *os.File) (*os.File, error) {
	info, err := old.Stat()
	if err != nil {
		return nil, err
	}
	path := k.path + ".next"
	os.Remove(path)
	next, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|unix.O_CLOEXEC, 0o600)
	if err == nil {
		err = next.Chmod(info.Mode().Perm())
	}
	return next, err
}

// close closes the file, if it is not whose that opened it.
func (k *keeper) close() {
	if k.ours {
		k.file.Close()
	}
}
