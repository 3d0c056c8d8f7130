package profile

import (
	"math"

	"mallard/internal/trace"
)

// TransactionSizes is what the transactions of a name have allocated that have ended, each with those inside it: as the
// VM has it, without what compilers removed.
type TransactionSizes struct {
	Ended    int64 // transactions
	Measured int64 // of which it is known: those of virtual threads are not
	Bytes    int64 // of these
	Most     int64 // of one of them
	sizes    []trace.SizeCount
}

// newTransactionSizes takes a record; false where its figures cannot be.
func newTransactionSizes(r *trace.TransactionSizes) (*TransactionSizes, bool) {
	s := &TransactionSizes{Ended: int64(r.Ended), Bytes: int64(r.Bytes), Most: int64(r.Most), sizes: r.Sizes}
	ok := r.Ended <= math.MaxInt64 && r.Bytes <= math.MaxInt64 && r.Most <= math.MaxInt64
	var measured uint64
	for _, c := range r.Sizes {
		ok = ok && c.Count <= math.MaxInt64-measured
		measured += c.Count
	}
	s.Measured = int64(measured)
	return s, ok
}

// Steps is how many of the measured transactions are of which size, ascending.
func (s *TransactionSizes) Steps() []trace.SizeCount { return s.sizes }

// Quantile gives how many bytes a share of the measured transactions, 0 to 1, has allocated at most: within a
// sixteenth of what that is. 0 where none was measured.
func (s *TransactionSizes) Quantile(share float64) int64 {
	rank := int64(math.Ceil(share * float64(s.Measured)))
	for _, c := range s.sizes {
		if rank -= int64(c.Count); rank <= 0 {
			return min(c.Bytes(), s.Most)
		}
	}
	return s.Most
}
