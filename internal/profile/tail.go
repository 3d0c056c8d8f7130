package profile

import (
	"fmt"
	"io"

	"mallard/internal/trace"
)

// Tail folds a recording that goes on, as far as it is written, and says what was allocated in a transaction so far.
type Tail struct {
	reader *trace.Reader
	folder *folder
	seen   int32            // nodes
	firsts map[string]int32 // the first node of the transactions of a name, among these
}

// NewTail begins with the start of a recording.
func NewTail(recording io.Reader) *Tail {
	return &Tail{reader: trace.NewTailReader(recording), folder: newFolder(), firsts: map[string]int32{}}
}

// Read takes what is new. Errors are those of the recording's reader, and the first damage.
func (t *Tail) Read() error {
	for {
		record, err := t.reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("profile: %w", err)
		}
		t.folder.add(record)
	}
	if damage := t.reader.Damage(); len(damage) > 0 {
		return fmt.Errorf("profile: %w", damage[0])
	}
	t.look()
	return nil
}

// look notes where transactions begin.
func (t *Tail) look() {
	c := t.folder.contexts.Contexts
	for ; int(t.seen) < len(c.Nodes); t.seen++ {
		m := c.MethodOf(t.seen)
		if m == nil || !m.Key.IsTransaction() {
			continue
		}
		name := Unbracketed(m.Key.Name)
		if _, known := t.firsts[name]; !known {
			t.firsts[name] = t.seen
		}
	}
}

// first is the first node that such a transaction can have; callers come before callees.
func (t *Tail) first(transactions string) int32 {
	first := t.seen
	for name, node := range t.firsts {
		if node < first && MatchTitle(transactions, name) {
			first = node
		}
	}
	return first
}

// InTransaction is what was allocated in a transaction, of what the filter selects, which has to name one, but no
// thread: what the [Answer] of a Profile of the same records has in Selected. It is exact where no method on a stack is
// selected.
func (t *Tail) InTransaction(filter Filter) (sum Amount) {
	f, first := t.folder, t.first(filter.Transaction)
	stacks := stackMatcher{filter: &filter, contexts: f.contexts.Contexts, first: first}
	sizer := sizer{f.process, &f.symbols.Classes}
	f.eachContext(first, func(node int32, cells []cell) {
		if node < first { // the caller of one that is
			return
		}
		if m := stacks.match(node, nil); !m.here || !m.selected {
			return
		}
		for _, c := range cells {
			if site := &f.symbols.Sites[c.site]; site.Def.Kind != trace.Executed {
				sum.Add(sizer.site(site).amount(c))
			}
		}
	})
	return sum
}
