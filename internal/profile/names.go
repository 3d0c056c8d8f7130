package profile

import (
	"fmt"
	"io"
	"time"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// FoldNames folds what names things, and what a recording that ends at some time says of itself, but no counts. Others
// are given all records, from where reader begins until enough says, behind any Events, that they have what they want.
// Errors are those of Fold.
func FoldNames(reader *trace.FromReader, end time.Duration, enough func() bool, also ...Consumer) (*Profile, error) {
	n := namesFolder{folder: newFolder(), reader: reader, also: also}
	return n.fold(end, enough)
}

// FoldTags is FoldNames with what has made tagged objects, also where contexts were recorded: then it reads on until
// those are known that had tags when the others had enough.
func FoldTags(reader *trace.FromReader, end time.Duration, enough func() bool, also ...Consumer) (*Profile, error) {
	n := namesFolder{folder: newFolder(), reader: reader, also: also, tags: true}
	return n.fold(end, enough)
}

// roundsBehind is how many rounds of contexts there are until one is over that has begun when the others had enough:
// one may have been going on.
const roundsBehind = 2

// namesFolder folds part of a recording.
type namesFolder struct {
	*folder
	reader *trace.FromReader
	also   []Consumer
	tags   bool // are asked for
	enough bool // the others have it
	rounds int  // of contexts since then
}

func (n *namesFolder) fold(end time.Duration, enough func() bool) (*Profile, error) {
	n.at(int64(end))
	for closed := false; ; {
		record, err := n.reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("profile: %w", err)
		}
		if closed || trace.IsDefinition(record) || trace.IsSummary(record) {
			n.add(record)
		}
		if closed {
			continue
		}
		n.take(record)
		if _, is := record.(*trace.Events); is && !n.enough {
			n.enough = enough()
		}
		if n.enough && (!n.hasContextTags() || n.rounds == roundsBehind) {
			closed = true
			n.reader.Close()
		}
	}
	n.damage = n.reader.Damage()
	return n.finish(nil), nil
}

// hasContextTags reports whether tags are of sites in contexts.
func (n *namesFolder) hasContextTags() bool { return n.tags && n.contexts.Tracked }

// take takes a record of the part.
func (n *namesFolder) take(record trace.Record) {
	if !n.enough {
		for _, c := range n.also {
			c.Add(record)
		}
	}
	if !n.hasContextTags() {
		return
	}
	switch r := record.(type) {
	case *trace.Thread:
		n.thread(r.ID).Describe(r)
	case *trace.ContextTags:
		n.thread(r.Thread).Describe(&trace.Thread{ID: r.Thread, Name: r.Name, Carrier: r.Carrier})
		n.takeTags(r.Thread, r.Values)
	case *trace.ContextCounts:
		n.takeTags(r.Thread, r.Values)
	case *trace.Mark:
		if n.enough && r.Contexts {
			n.rounds++
		}
	}
}

// takeTags takes those values that are tags.
func (f *folder) takeTags(thread trace.ThreadID, values []trace.ContextValue) {
	c := &f.contexts
	for _, v := range values {
		node := c.Node(v.Context)
		if node == symbols.Lost || c.Nodes[node].Method == symbols.Lost {
			continue
		}
		method := &c.methods[c.Nodes[node].Method]
		if counter, known := method.find(v.Counter); known && method.counters[counter].meaning.kind == trace.Tag {
			c.counts[node].thread = thread
			c.value(node, counter, 0).value = v.Value
		}
	}
}
