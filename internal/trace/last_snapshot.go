package trace

import (
	"errors"
	"slices"
)

// LastSnapshot gives the instant, in nanoseconds since Process.Started, of the last snapshot of all that is tracked
// which the end of the file has whole; 0 where it has none. ended says that the recording has its End.
func (f *File) LastSnapshot() (nanos int64, ended bool, err error) {
	process, err := f.Process()
	if err != nil || process == nil {
		return 0, false, err
	}
	contexts := slices.Contains(process.Track, contextsObserver)
	if err := f.scan(); err != nil { // of a file that grows an index says less
		return 0, false, err
	}
	for i := len(f.tail) - 1; i >= max(0, len(f.tail)-maxTail); i-- {
		records, err := f.records(f.tail[i])
		if err != nil && !errors.Is(err, errBlock) {
			return 0, false, err
		}
		for _, r := range records {
			switch r := r.(type) {
			case *Mark:
				if r.Contexts || !contexts {
					nanos = max(nanos, r.Nanos)
				}
			case *End:
				ended = true
			}
		}
		if nanos > 0 {
			break
		}
	}
	return nanos, ended, nil
}

// contextsObserver is in Process.Track where contexts are tracked.
const contextsObserver = "contexts"
