package export

import (
	"io"
	"path"
	"strings"

	pprof "github.com/google/pprof/profile"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// The labels of a pprof sample.
const (
	labelClass       = "class"       // allocated type: java.lang.String, int[][]
	labelSite        = "site"        // of samples of copies: where what is read was made
	labelThread      = "thread"      // name of the thread, carriers marked
	labelTransaction = "transaction" // name of the innermost that it was in, if any
)

// Pprof writes the samples that the filter selects as a gzipped pprof profile
// with the values alloc_objects/count and alloc_space/bytes, the latter being
// the default.
//
// A stack begins at the method with the site; its callers follow where contexts
// were tracked. The allocated type is the label "class" rather than a leaf frame, because a leaf frame
// would take the flat values away from the methods; pprof makes one of the
// label where it is wanted (-tagleaf=class). A transaction is a frame of its own, and a label. Sites of one line and
// type share a sample. Losses and totals are comments. What is less than a share of it, percent, is one frame below
// what it has in common with others, or one class in a method that is large enough; how much that is together is
// returned.
func Pprof(w io.Writer, file string, p *profile.Profile, filter profile.Filter, share float64) (omitted profile.Amount,
	err error) {
	b := newPprofBuilder(p, amounts("alloc"))
	b.in = p.Transactions()
	b.out.DurationNanos, b.out.Comments = p.Length().Nanoseconds(), pprofComments(file, p)
	large, whole := p.Large(filter, share), profile.Amount{}
	for sample := range p.Samples(filter) {
		if sample.Site.Executed {
			continue
		}
		whole.Add(sample.Amount)
		if b.addLarge(sample, large) {
			omitted.Add(sample.Amount)
		}
	}
	b.out.Comments = append(b.out.Comments, omittedFacts(omitted, whole, share)...)
	return omitted, b.write(w)
}

// pprofBuilder makes each function and location once.
type pprofBuilder struct {
	profile   *profile.Profile
	in        []int32 // by context: its transaction
	out       *pprof.Profile
	mapping   *pprof.Mapping
	functions map[*symbols.Method]*pprof.Function
	locations map[pprofLocation]*pprof.Location
	omitted   map[omittedSample]*pprof.Sample
}

// omittedSample is what samples that are too small have in common.
type omittedSample struct {
	context int32 // the innermost that is large enough; -1 for none
	line    int32 // in its method
	thread  string
	isClass bool // only the class is not large enough
}

type pprofLocation struct {
	method *symbols.Method
	line   int32
}

// amounts are the values of a kind, such as alloc, in objects and bytes.
func amounts(kind string) []*pprof.ValueType {
	return []*pprof.ValueType{{Type: kind + "_objects", Unit: "count"}, {Type: kind + "_space", Unit: "bytes"}}
}

// newPprofBuilder is for samples with such values, of which the last is the default.
func newPprofBuilder(p *profile.Profile, values []*pprof.ValueType) *pprofBuilder {
	b := &pprofBuilder{
		profile:   p,
		functions: map[*symbols.Method]*pprof.Function{},
		locations: map[pprofLocation]*pprof.Location{},
		omitted:   map[omittedSample]*pprof.Sample{},
		out: &pprof.Profile{
			SampleType:        values,
			DefaultSampleType: values[len(values)-1].Type,
		},
	}
	if !p.Started.IsZero() {
		b.out.TimeNanos = p.Started.UnixNano()
		if p.Span != nil {
			b.out.TimeNanos += int64(p.Span.From)
		}
	}
	// A mapping that says it is symbolized keeps pprof from looking for a binary.
	b.mapping = &pprof.Mapping{ID: 1, File: pprofProgram(p), HasFunctions: true, HasFilenames: true,
		HasLineNumbers: true}
	b.out.Mapping = []*pprof.Mapping{b.mapping}
	return b
}

// write writes what was added.
func (b *pprofBuilder) write(w io.Writer) error {
	if err := b.out.CheckValid(); err != nil {
		return err
	}
	return b.out.Compact().Write(w)
}

func (b *pprofBuilder) add(s profile.Sample) {
	b.append(s.Context, b.profile.Stack(s.Site, s.Context), s.Site.Type, s.Thread.Title(), s.Amount)
}

// addLarge is add of what is large enough to be kept apart; it reports whether something was left out.
func (b *pprofBuilder) addLarge(s profile.Sample, large *profile.Large) (omits bool) {
	key := omittedSample{s.Context, s.Site.Line, s.Thread.Title(), true}
	leftOut := large.LeftOut[s.Context]
	switch {
	case leftOut >= 0:
		c := &b.profile.Contexts[leftOut]
		key = omittedSample{c.Parent, c.Line, s.Thread.Title(), false}
	case large.IsClass(s.Context, s.Site.Type):
		b.add(s)
		return false
	}
	if known := b.omitted[key]; known != nil {
		known.Value[0] += s.Amount.Objects
		known.Value[1] += s.Amount.Bytes
		return true
	}
	stack := b.profile.Stack(s.Site, s.Context)
	if leftOut >= 0 {
		stack = []symbols.Frame{{Method: omittedMethod, Line: -1}}
		if key.context >= 0 {
			stack = append(stack, b.profile.Stack(&profile.Site{Line: key.line}, key.context)...)
		}
	}
	b.omitted[key] = b.append(key.context, stack, profile.Omitted, key.thread, s.Amount)
	return true
}

// omittedMethod is the frame of what is too small.
var omittedMethod = &symbols.Method{Name: profile.Omitted}

func (b *pprofBuilder) append(context int32, stack []symbols.Frame, class, thread string,
	amount profile.Amount) *pprof.Sample {
	locations := make([]*pprof.Location, len(stack))
	for i, f := range stack {
		locations[i] = b.location(f)
	}
	labels := map[string][]string{labelClass: {class}, labelThread: {thread}}
	if context >= 0 {
		if name := b.profile.TransactionName(b.in[context]); name != "" {
			labels[labelTransaction] = []string{name}
		}
	}
	sample := &pprof.Sample{Location: locations, Value: []int64{amount.Objects, amount.Bytes}, Label: labels}
	b.out.Sample = append(b.out.Sample, sample)
	return sample
}

func (b *pprofBuilder) location(f symbols.Frame) *pprof.Location {
	key := pprofLocation{f.Method, f.Line}
	if known := b.locations[key]; known != nil {
		return known
	}
	location := &pprof.Location{
		ID:      uint64(len(b.out.Location) + 1),
		Mapping: b.mapping,
		Line:    []pprof.Line{{Function: b.function(f.Method), Line: int64(max(f.Line, 0))}},
	}
	b.locations[key] = location
	b.out.Location = append(b.out.Location, location)
	return location
}

func (b *pprofBuilder) function(m *symbols.Method) *pprof.Function {
	if known := b.functions[m]; known != nil {
		return known
	}
	function := &pprof.Function{
		ID:         uint64(len(b.out.Function) + 1),
		Name:       m.Title(),
		SystemName: m.Title() + m.Descriptor,
		Filename:   SourcePath(m.Class, m.Source),
	}
	b.functions[m] = function
	b.out.Function = append(b.out.Function, function)
	return function
}

// SourcePath is where source trees keep a class's file: java/util/HashMap.java.
func SourcePath(class, source string) string {
	if source == "" {
		return ""
	}
	end := max(strings.LastIndexByte(class, '.'), 0)
	return path.Join(strings.ReplaceAll(class[:end], ".", "/"), source)
}

// pprofProgram names what ran, as pprof names binaries.
func pprofProgram(p *profile.Profile) string {
	if p.Process == nil || len(p.Process.Command) == 0 {
		return "java"
	}
	return path.Base(p.Process.Command[0])
}

func pprofComments(file string, p *profile.Profile) []string {
	comments := []string{
		"mallard recording " + file,
		"total: " + amount(p.Total),
	}
	for _, line := range lossLines(p) {
		comments = append(comments, "losses: "+line)
	}
	return comments
}
