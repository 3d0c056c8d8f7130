package portable

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mallard/internal/classdef"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// appLoader stands for the loader of all classes but the JDK's: which it is, the program decides.
const (
	bootLoader trace.LoaderID = 0
	appLoader  trace.LoaderID = 1
)

// definitions collects what is known of the recording before the program runs: all but its first record, which says
// what runs, and its last ones, which count.
type definitions struct {
	recording bytes.Buffer // its file header, a block with a first record, and what matters
	trace     *trace.Writer
	start     int // in recording, of the blocks behind the first
	records   int // in these

	class    trace.ClassID
	site     trace.SiteID
	counters uint32
	methods  uint32 // with contexts; the last one has this number
	calls    bytes.Buffer
	made     bytes.Buffer
	seen     trace.Seen

	layouts map[string]instanceLayout // of the classes of the input
	types   map[string][]uint32       // by allocated class: counters that count its objects
}

func newDefinitions() (*definitions, error) {
	d := &definitions{layouts: map[string]instanceLayout{}, types: map[string][]uint32{}}
	d.trace = trace.NewWriter(&d.recording)
	if err := d.trace.Write(&trace.Process{}); err != nil {
		return nil, err
	}
	if err := d.trace.Flush(); err != nil {
		return nil, err
	}
	d.start = d.recording.Len()
	if err := d.write(&trace.Loader{ID: bootLoader}); err != nil {
		return nil, err
	}
	return d, d.write(&trace.Loader{ID: appLoader, Class: "jdk/internal/loader/ClassLoaders$AppClassLoader",
		Name: "app"})
}

func (d *definitions) write(r trace.Record) error {
	d.records++
	return d.trace.Write(r)
}

// define says what a class counts, and gives its counters their numbers.
func (d *definitions) define(r *instrument.Result, loader trace.LoaderID, size int) error {
	def := &trace.ClassDef{ID: d.class, Loader: loader, Name: r.Name, Source: r.Source, SiteBase: d.site,
		CounterBase: trace.CounterID(d.counters), Counters: r.Counters,
		Bytes: uint32(size), NewBytes: uint32(len(r.Bytes))}
	for i := range r.Methods {
		m := &r.Methods[i]
		method := classdef.Method(m)
		if m.Context != nil {
			method.Number = trace.MethodID(d.methods + 1 + m.Context.Number)
			d.defineCalls(r.Name, m, method.Number)
		}
		d.defineMade(def, m, method.Number)
		def.Methods = append(def.Methods, method)
		d.site += trace.SiteID(len(m.Sites))
	}
	for i := range def.Methods {
		d.countTypes(&def.Methods[i])
	}
	r.Patch(d.counters)
	r.PatchMethods(d.methods + 1)
	d.counters += r.Counters
	d.methods += r.Contexts
	d.class++
	return d.write(def)
}

// defineCalls adds a method to the facts.
func (d *definitions) defineCalls(class string, m *instrument.Method, number trace.MethodID) {
	fmt.Fprintf(&d.calls, "method\t%d\t%s\t%s", number, class, m.Name)
	for _, c := range m.Context.Calls {
		fmt.Fprintf(&d.calls, "\t%d\t%d", c.BCI, c.Line)
	}
	d.calls.WriteByte('\n')
}

// defineMade adds the calls of a method to the facts whose objects have counters by their class.
func (d *definitions) defineMade(def *trace.ClassDef, m *instrument.Method, number trace.MethodID) {
	for _, first := range m.Made {
		i := slices.IndexFunc(m.Counters, func(c instrument.Counter) bool { return c.Number == first })
		site := m.Sites[m.Counters[i].Site]
		fmt.Fprintf(&d.made, "call\t%d\t%d\t%s\t%s\t%s\t%s\t%d\t%d\t%d\n", d.counters+first, def.Loader, def.Name,
			def.Source, m.Name, m.Descriptor, site.BCI, site.Line, number)
	}
}

// countTypes notes the counters of instances.
func (d *definitions) countTypes(m *trace.MethodDef) {
	for _, c := range m.Counters {
		if c.Kind == trace.Elements || c.Kind == trace.Bytes {
			continue
		}
		for _, t := range c.Semantics {
			if site := m.Sites[t.Site]; site.Kind == trace.Instance && t.Coefficient != 0 {
				d.types[site.Type] = append(d.types[site.Type], d.counters+c.Counter)
			}
		}
	}
}

// checkLimits says why a class with so many counters and sites cannot be defined; nil if it can.
func (d *definitions) checkLimits(r *instrument.Result) error {
	sites := 0
	for i := range r.Methods {
		sites += len(r.Methods[i].Sites)
	}
	if int(d.counters)+int(r.Counters) > maxCounters || int(d.site)+sites > maxSites {
		return fmt.Errorf("all %d counters are taken", maxCounters)
	}
	if int(d.methods)+int(r.Contexts) > maxMethods {
		return fmt.Errorf("%d methods have contexts already", maxMethods)
	}
	return nil
}

// finish gives the resources that the runtime reads: the blocks of the recording that are known, behind the file
// header; and the facts (runtime/portable, Recording), lines of
//
//	VERSION                     of mallard
//	PLACEMENT                   of counters
//	TRACK                       sites or contexts
//	RECORDS                     in the blocks
//	CLASSES                     that are defined
//	SITES                       that these have
//	method NUMBER CLASS NAME BCI LINE...     where the calls of a method with contexts are
//	call COUNTER LOADER CLASS SOURCE METHOD DESCRIPTOR BCI LINE NUMBER     that makes objects of any class
//	class NAME SUPER FIELDS     of the input
//	type NAME COUNTER...        that count its objects
//
// with tabs between the words of the last four.
func (d *definitions) finish(o Options) (blocks, facts []byte, err error) {
	if err := d.write(&d.seen); err != nil {
		return nil, nil, err
	}
	if err := d.trace.Flush(); err != nil {
		return nil, nil, err
	}
	recording := d.recording.Bytes()
	blocks = slices.Concat(recording[:trace.FileHeaderSize], recording[d.start:])
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n%s\n%d\n%d\n%d\n", o.Version, o.Placement, o.track(), d.records, d.class, d.site)
	b.Write(d.calls.Bytes())
	b.Write(d.made.Bytes())
	types := slices.Sorted(maps.Keys(d.types))
	for _, name := range d.ancestors(types) {
		fmt.Fprintf(&b, "class\t%s\t%s\t%s\n", name, d.layouts[name].super, d.layouts[name].fields)
	}
	for _, name := range types {
		b.WriteString("type\t" + name)
		for _, c := range d.types[name] {
			b.WriteString("\t" + strconv.FormatUint(uint64(c), 10))
		}
		b.WriteString("\n")
	}
	return blocks, []byte(b.String()), nil
}

// ancestors gives the classes of the input among some and their superclasses. The JVM sees to it that none is its own.
func (d *definitions) ancestors(types []string) []string {
	known := map[string]bool{}
	for _, name := range types {
		for {
			s, found := d.layouts[name]
			if !found || known[name] {
				break
			}
			known[name] = true
			name = s.super
		}
	}
	return slices.Sorted(maps.Keys(known))
}
