package trace

import (
	"cmp"
	"io"
)

// source is a window onto the file that grows only as bytes arrive.
type source struct {
	r      io.Reader
	buffer []byte // the window is its end
	start  int    // of the window in buffer
	offset int64  // of the window in the file
	err    error  // why the last fill failed: io.EOF, or the reader's error
	ask    int    // the least that is asked for next, up to readSize; 0: readSize
}

const (
	// readSize is the least that is asked for at once, and what memory is
	// taken for before bytes have arrived.
	readSize = 64 << 10

	// firstSize is the same at first where little may be wanted.
	firstSize = 4 << 10

	// maxEmptyReads bounds successive reads that give neither bytes nor error.
	maxEmptyReads = 100
)

func (s *source) window() []byte { return s.buffer[s.start:] }

// fill reads until the window has n bytes, and says whether it has. After
// io.EOF it may be called again, for a file that grows.
func (s *source) fill(n int) bool {
	for empty := 0; len(s.window()) < n; {
		s.grow()
		end := len(s.buffer)
		m, err := s.r.Read(s.buffer[end:cap(s.buffer)])
		s.buffer = s.buffer[:end+m]
		if m > 0 {
			empty = 0
			continue
		}
		if empty++; err == nil && empty > maxEmptyReads {
			err = io.ErrNoProgress
		}
		if err != nil {
			s.err = err
			return false
		}
	}
	return true
}

// grow lets at least as many bytes follow the window as are asked for. The buffer grows by
// no more than what has arrived, whatever length a header claims.
func (s *source) grow() {
	ask := cmp.Or(s.ask, readSize)
	s.ask = min(2*ask, readSize)
	if cap(s.buffer)-len(s.buffer) >= ask {
		return
	}
	window := s.window()
	if s.start < len(window) || cap(s.buffer)-len(window) < ask {
		s.buffer = make([]byte, 0, 2*max(len(window), ask))
	}
	s.buffer = append(s.buffer[:0], window...)
	s.start = 0
}

// skip drops the first n bytes of the window.
func (s *source) skip(n int) {
	s.start += n
	s.offset += int64(n)
}
