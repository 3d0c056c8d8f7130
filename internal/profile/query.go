package profile

import (
	"cmp"
	"slices"
	"strings"

	"mallard/internal/trace"
)

// By is what the rows of an answer stand for.
type By uint8

const (
	BySite        By = iota // a site
	ByClass                 // an allocated type
	ByMethod                // a method that has sites
	ByThread                // threads of one name
	ByContext               // a site in a context: a stack and a type
	ByElement               // arrays of one type of element: a basic type, or references
	ByTransaction           // a transaction, or none
	ByCaller                // a line of the user's own methods that led to allocations
	ByProgram               // a JVM, of those that a recording is the sum of
)

var byNames = [...]string{"site", "class", "method", "thread", "context", "element", "transaction",
	"caller", "program"}

// String returns the word for b in reports.
func (b By) String() string { return byNames[b] }

// Sort is what puts rows in order, largest first.
type Sort uint8

const (
	SortObjects Sort = iota
	SortBytes
	SortBytecodes
	SortInclusive // bytes, of methods with what they called
)

var sortNames = [...]string{"objects", "bytes", "bytecodes", "inclusive"}

// String returns the word for s in reports.
func (s Sort) String() string { return sortNames[s] }

// Value is what an amount is sorted by.
func (s Sort) Value(a Amount) int64 {
	switch s {
	case SortBytes, SortInclusive:
		return a.Bytes
	case SortBytecodes:
		return a.Bytecodes
	}
	return a.Objects
}

// Query asks for rows. The zero Query asks for all sites by objects.
type Query struct {
	By     By
	Sort   Sort
	Top    int // keep this many rows, 0 for all
	Filter Filter
	// by method, where contexts are known: rows have what methods called, too, and so there are more of them
	Inclusive bool
	// what the user's own methods are: by caller, nil: what is guessed; by context others are folded, nil: none are
	Mine *Mine
}

// Row is one line of an answer.
type Row struct {
	Class       string            // allocated type, for sites and classes; a basic type or Reference, for elements
	Array       bool              // Class is an array
	Site        *Site             // for sites; for methods one of its sites, whose line, bci and type say nothing
	Loader      string            // of the site's class, for classes of the type; "" unless the name was loaded twice
	Thread      string            // for threads: the name, carriers marked
	Threads     int               // for threads: how many have that name
	Folded      *Mine             // by context: whose frames the row stands for; contexts may differ in others
	Context     int32             // for contexts: index in Profile.Contexts
	Program     *trace.Program    // for programs
	Transaction string            // for transactions: the name, empty for what is in none
	Sizes       *TransactionSizes // for transactions: of those of the name, nil unknown
	Amount      Amount
	Self        Amount // for callers: of that what no other line of the user's in between has led to
	Inclusive   Amount // for methods, where that was asked for: with all that they called
	caller      caller // the same: what it is
}

// Answer is what Rows returns.
type Answer struct {
	Query    Query
	Rows     []Row
	Selected Amount // sum of all rows that passed the filter, before Top
	Count    int    // number of those rows
	Others   Amount // by caller: what no line of the user's has led to
}

// compare puts the larger amount first. Rows come ordered by name.
func (s Sort) compare(a, b Amount) int {
	objects := cmp.Compare(b.Objects, a.Objects)
	bytes := cmp.Compare(b.Bytes, a.Bytes)
	switch s {
	case SortBytes, SortInclusive:
		return cmp.Or(bytes, objects)
	case SortBytecodes:
		return cmp.Or(cmp.Compare(b.Bytecodes, a.Bytecodes), objects, bytes)
	}
	return cmp.Or(objects, bytes)
}

// compareRows puts the larger row first.
func (s Sort) compareRows(a, b Row) int {
	if s == SortInclusive {
		return s.compare(a.Inclusive, b.Inclusive)
	}
	return cmp.Or(s.compare(a.Amount, b.Amount), s.compare(a.Inclusive, b.Inclusive))
}

// row gives the row that a site belongs to; false where there is none.
func (b By) row(site *Site) (Row, bool) {
	switch b {
	case ByClass:
		return Row{Class: site.Type, Array: site.Array, Loader: site.TypeLoader}, !site.Executed
	case ByElement:
		return Row{Class: elementType(site.Type), Array: true}, site.Array
	case ByMethod:
		return Row{Site: site, Loader: site.Loader}, true
	}
	return Row{Class: site.Type, Array: site.Array, Site: site, Loader: site.Loader}, !site.Executed
}

// rowKey is what makes a row another one.
type rowKey struct {
	class, loader, owner, method, descriptor, thread string
	bci, line                                        int32
	transaction                                      string
	caller                                           caller
}

func (b By) key(r Row) rowKey {
	switch b {
	case BySite:
		// Sites of one bytecode and type may differ in what is done with the objects: see Site.Copied.
		return rowKey{class: r.Class, loader: r.Loader, owner: r.Site.Class, method: r.Site.Method,
			descriptor: r.Site.Descriptor, bci: r.Site.BCI, line: r.Site.Line}
	case ByMethod:
		return rowKey{loader: r.Loader, owner: r.Site.Class, method: r.Site.Method, descriptor: r.Site.Descriptor}
	case ByThread:
		return rowKey{thread: r.Thread}
	case ByTransaction:
		return rowKey{transaction: r.Transaction}
	case ByCaller:
		return rowKey{caller: r.caller}
	}
	return rowKey{class: r.Class, loader: r.Loader}
}

// Reference is what arrays hold that hold no basic type: objects, or arrays.
const Reference = "reference"

var basicTypes = []string{"boolean", "byte", "char", "short", "int", "long", "float", "double"}

// elementType gives what arrays of a type hold.
func elementType(array string) string {
	if element := strings.TrimSuffix(array, "[]"); slices.Contains(basicTypes, element) {
		return element
	}
	return Reference
}
