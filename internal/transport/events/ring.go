package events

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// maxRecord bounds the bytes of a record; small rings hold smaller ones only.
const maxRecord = 64 << 10

// bufferBytes is what is read of a ring before the next one's turn.
const bufferBytes = 4 * maxRecord

var errDamaged = errors.New("the ring is damaged")

// ring is the reader's view of one. The producer may be anybody and write what it wants at any time: nothing is
// believed before it is copied and checked.
type ring struct {
	control []byte
	data    []byte // a power of two
	largest uint32 // bytes of a record

	read     uint64 // bytes read since the start
	reported counts // what was left out, as the ring's own records say
	damaged  bool
}

func (r *ring) committed() uint64 { return atomic.LoadUint64(word(r.control, CommittedOffset)) }

// take copies up to bufferBytes of records into a buffer that grows to hold them, and gives their space back to the
// producer. It gives whole records, none if none was committed before end. Where there is an error the ring is of no
// more use.
func (r *ring) take(buffer *[]byte, end uint64) (records []byte, err error) {
	position := r.read
	unread := min(r.committed(), end) - position
	if unread == 0 {
		return nil, nil
	}
	if unread > uint64(len(r.data)) {
		return nil, fmt.Errorf("%w: %d bytes are unread of %d", errDamaged, int64(unread), len(r.data))
	}
	at := position & uint64(len(r.data)-1)
	unread = min(unread, uint64(len(r.data))-at)
	*buffer = append((*buffer)[:0], r.data[at:at+min(unread, bufferBytes)]...)
	whole, padding, err := r.check(*buffer, position, unread)
	if err == nil && whole == 0 && padding == 0 {
		err = fmt.Errorf("%w: a record at %d is not whole", errDamaged, position)
	}
	r.read += whole + padding
	atomic.StoreUint64(word(r.control, ReadOffset), r.read)
	return (*buffer)[:whole], err
}

// check gives the bytes of the whole records at the beginning of b, and those of the padding behind them. Of the
// data, unread bytes were committed from there on, up to the end at most.
func (r *ring) check(b []byte, position, unread uint64) (whole, padding uint64, err error) {
	for uint64(len(b))-whole >= HeaderBytes {
		h := headerOf(b[whole:])
		size, at := recordBytes(h.size), position+whole
		toEnd := uint64(len(r.data)) - at&uint64(len(r.data)-1)
		switch {
		case h.stamp != stamp(at):
			return whole, 0, fmt.Errorf("%w: there is no record at %d", errDamaged, at)
		case h.kind >= Kinds:
			return whole, 0, fmt.Errorf("%w: a record at %d is of kind %d", errDamaged, at, h.kind)
		case h.kind == Padding && (size != toEnd || size > unread-whole):
			return whole, 0, fmt.Errorf("%w: padding of %d bytes at %d", errDamaged, size, at)
		case h.kind == Padding:
			return whole, size, nil
		case h.size > r.largest || size > toEnd:
			return whole, 0, fmt.Errorf("%w: a record of %d bytes at %d", errDamaged, h.size, at)
		case size > uint64(len(b))-whole:
			return whole, 0, nil
		}
		whole += size
	}
	return whole, 0, nil
}

// unreported is what the producer left out and the ring has no record of; false if there is nothing.
func (r *ring) unreported(number int) (Loss, bool) {
	level := atomic.LoadUint32(word32(r.control, LevelOffset))
	l := Loss{Ring: number, From: atomic.LoadUint64(word(r.control, LosingOffset)), LevelThen: level, Level: level}
	for k := range Kind(Kinds) {
		if n := atomic.LoadUint64(word(r.control, LostOffset+8*int(k))) - r.reported[k]; n != 0 {
			l.Counts = append(l.Counts, Count{k, n})
		}
	}
	return l, len(l.Counts) > 0
}
