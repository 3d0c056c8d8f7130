package export

import (
	"io"
	"strings"

	"mallard/internal/jfr"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// allocationSample is the JDK's type of event for allocations, with the number of objects besides: JDK Mission Control
// adds up weights.
const allocationSample = jfr.FirstEvent

var allocationSampleType = jfr.Type{ID: allocationSample, Name: "jdk.ObjectAllocationSample", Super: jfr.EventSuper,
	Annotations: []jfr.Annotation{jfr.Label("Object Allocation Sample")},
	Fields: []jfr.Field{
		{Name: "startTime", Type: jfr.Long, Annotations: []jfr.Annotation{jfr.Label("Start Time"), jfr.Ticks}},
		{Name: "eventThread", Type: jfr.Thread, Pooled: true, Annotations: []jfr.Annotation{jfr.Label("Event Thread")}},
		{Name: "stackTrace", Type: jfr.StackTrace, Pooled: true,
			Annotations: []jfr.Annotation{jfr.Label("Stack Trace")}},
		{Name: "objectClass", Type: jfr.Class, Pooled: true, Annotations: []jfr.Annotation{jfr.Label("Object Class"),
			jfr.Description("Class of allocated object")}},
		{Name: "weight", Type: jfr.Long, Annotations: []jfr.Annotation{jfr.Label("Sample Weight"), jfr.Bytes,
			jfr.Description("Bytes allocated, counted by Mallard")}},
		{Name: "objects", Type: jfr.Long, Annotations: []jfr.Annotation{jfr.Label("Objects"),
			jfr.Description("Objects allocated, counted by Mallard")}},
	}}

// JFR writes the samples that the filter selects as a file of JDK Flight Recorder: a jdk.ObjectAllocationSample for
// each site and thread, or each context and thread, whose weight is its bytes. All have the time at which the numbers
// end.
func JFR(w io.Writer, p *profile.Profile, filter profile.Filter) error {
	started := p.Started
	if p.Span != nil {
		started = started.Add(p.Span.From)
	}
	c := &jfr.Chunk{Started: started, Duration: p.Length(), Types: []jfr.Type{allocationSampleType}}
	c.Contents = func(w *jfr.Writer) {
		b := newJFRBuilder(p, w)
		for s := range p.Samples(filter) {
			if !s.Site.Executed {
				b.add(&s)
			}
		}
		b.finish()
	}
	return c.Write(w)
}

// jfrBuilder numbers what events refer to.
type jfrBuilder struct {
	*jfr.Writer
	profile  *profile.Profile
	values   jfr.Values
	threads  map[*profile.Thread]int64
	stacks   map[jfrStack]int64
	methods  map[*symbols.Method]int64
	classes  map[string]int64 // by internal name
	packages map[string]int64
	symbols  map[string]int64
	order    struct { // by number
		stacks  []jfrStack
		methods []*symbols.Method
	}
}

// jfrStack is a site in a context.
type jfrStack struct {
	context, line, bci int32
}

func newJFRBuilder(p *profile.Profile, w *jfr.Writer) *jfrBuilder {
	return &jfrBuilder{Writer: w, profile: p, threads: map[*profile.Thread]int64{}, stacks: map[jfrStack]int64{},
		methods: map[*symbols.Method]int64{}, classes: map[string]int64{}, packages: map[string]int64{},
		symbols: map[string]int64{}}
}

// add writes the event of a sample.
func (b *jfrBuilder) add(s *profile.Sample) {
	stack := jfrStack{s.Context, s.Site.Line, s.Site.BCI}
	thread, number, class := b.thread(s.Thread), b.stack(stack), b.class(symbols.InternalType(s.Site.Type))
	v := &b.values
	v.Reset()
	v.Int(int64(b.profile.Length()))
	v.Int(thread)
	v.Int(number)
	v.Int(class)
	v.Int(s.Amount.Bytes)
	v.Int(s.Amount.Objects)
	b.Event(allocationSample, v)
}

// numberOf gives the number of something, of a new one if there was none.
func numberOf[K comparable](numbers map[K]int64, key K) (number int64, isNew bool) {
	number, known := numbers[key]
	if !known {
		number = int64(len(numbers) + 1)
		numbers[key] = number
	}
	return number, !known
}

func (b *jfrBuilder) thread(t *profile.Thread) int64 {
	n, isNew := numberOf(b.threads, t)
	if isNew {
		v := &b.values
		v.Reset()
		v.String(t.Title())
		v.Int(0)
		v.String(t.Title())
		v.Int(t.JavaID)
		v.Int(0)
		b.Value(jfr.Thread, n, v)
	}
	return n
}

func (b *jfrBuilder) stack(s jfrStack) int64 {
	n, isNew := numberOf(b.stacks, s)
	if isNew {
		b.order.stacks = append(b.order.stacks, s)
	}
	return n
}

func (b *jfrBuilder) symbol(s string) int64 {
	n, isNew := numberOf(b.symbols, s)
	if isNew {
		v := &jfr.Values{}
		v.String(s)
		b.Value(jfr.Symbol, n, v)
	}
	return n
}

// class numbers a class by its internal name, an array by its descriptor.
func (b *jfrBuilder) class(name string) int64 {
	n, isNew := numberOf(b.classes, name)
	if isNew {
		of := b.symbol(name)
		in, isNew := numberOf(b.packages, name[:max(strings.LastIndexByte(name, '/'), 0)])
		v := &jfr.Values{}
		if isNew {
			v.Int(b.symbol(name[:max(strings.LastIndexByte(name, '/'), 0)]))
			v.Int(0)
			v.Bool(true)
			b.Value(jfr.Package, in, v)
		}
		v.Reset()
		v.Int(0)
		v.Int(of)
		v.Int(in)
		v.Int(0)
		v.Bool(false)
		b.Value(jfr.Class, n, v)
	}
	return n
}

func (b *jfrBuilder) method(m *symbols.Method) int64 {
	n, isNew := numberOf(b.methods, m)
	if isNew {
		b.order.methods = append(b.order.methods, m)
	}
	return n
}

// Types of frames.
const (
	jfrInterpreted = 1
	jfrNative      = 2
)

// finish writes what is left of the constant pools.
func (b *jfrBuilder) finish() {
	v := &b.values
	for i, s := range b.order.stacks {
		stack := b.profile.Stack(&profile.Site{Line: s.line, BCI: s.bci}, s.context)
		v.Reset()
		v.Bool(false)
		v.Int(int64(len(stack)))
		for _, f := range stack {
			v.Int(b.method(f.Method))
			v.Int(int64(f.Line))
			v.Int(int64(f.BCI))
			if f.Native {
				v.Int(jfrNative)
			} else {
				v.Int(jfrInterpreted)
			}
		}
		b.Value(jfr.StackTrace, int64(i+1), v)
	}
	for i, m := range b.order.methods {
		class, descriptor := symbols.InternalType(m.Class), m.Descriptor
		if m.Transaction {
			descriptor = ""
		}
		if class == "" { // a transaction, or nobody knows
			class = "(none)"
		}
		if descriptor == "" { // what the JVM makes for itself: jfr print wants one
			descriptor = "()V"
		}
		of, name, parameters := b.class(class), b.symbol(m.Name), b.symbol(descriptor)
		v.Reset()
		v.Int(of)
		v.Int(name)
		v.Int(parameters)
		v.Int(0)
		v.Bool(false)
		b.Value(jfr.Method, int64(i+1), v)
	}
	for number, text := range []string{jfrInterpreted: "Interpreted", jfrNative: "Native"} {
		if text != "" {
			v.Reset()
			v.String(text)
			b.Value(jfr.FrameType, int64(number), v)
		}
	}
}
