package profile

import (
	"fmt"
	"io"
	"time"

	"mallard/internal/trace"
)

// FoldNames folds what names things, and what a recording that ends at some time says of itself, but no counts. Others
// are given all records, from where reader begins until enough says, behind any Events, that they have what they want.
// Errors are those of Fold.
func FoldNames(reader *trace.FromReader, end time.Duration, enough func() bool, also ...Consumer) (*Profile, error) {
	f := newFolder()
	f.at(int64(end))
	for closed := false; ; {
		record, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("profile: %w", err)
		}
		if closed || trace.IsDefinition(record) || trace.IsSummary(record) {
			f.add(record)
		}
		if closed {
			continue
		}
		for _, c := range also {
			c.Add(record)
		}
		if _, is := record.(*trace.Events); is && enough() {
			closed = true
			reader.Close()
		}
	}
	f.damage = reader.Damage()
	return f.finish(nil), nil
}
