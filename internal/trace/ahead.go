package trace

import (
	"io"
	"iter"
)

// aheadRecords is how many records a batch has at most that is read ahead, all of one block: there are three batches.
const aheadRecords = 64

// Ahead gives the records that Next would, up to its first error but io.EOF. They are decoded in a goroutine of its
// own, while those before are used: nobody else may use the Reader until the last one has come. A panic there is one
// here.
func (r *Reader) Ahead() iter.Seq2[Record, error] {
	type batch struct {
		records  []Record
		err      error
		panicked any
	}
	return func(yield func(Record, error) bool) {
		batches, done, ended := make(chan batch, 1), make(chan struct{}), make(chan struct{})
		defer func() { <-ended }()
		defer close(done)
		go func() {
			defer close(ended)
			defer func() {
				if panicked := recover(); panicked != nil {
					select {
					case batches <- batch{panicked: panicked}:
					case <-done:
					}
				}
			}()
			for b := (batch{}); b.err == nil; {
				b.records = make([]Record, 0, aheadRecords)
				for more := true; more; more = b.err == nil && r.left > 0 && len(b.records) < aheadRecords {
					var record Record
					if record, b.err = r.Next(); b.err == nil {
						b.records = append(b.records, record)
					}
				}
				select {
				case batches <- b:
				case <-done:
					return
				}
			}
		}()
		for {
			b := <-batches
			if b.panicked != nil {
				panic(b.panicked)
			}
			for _, record := range b.records {
				if !yield(record, nil) {
					return
				}
			}
			if b.err != nil {
				if b.err != io.EOF {
					yield(nil, b.err)
				}
				return
			}
		}
	}
}
