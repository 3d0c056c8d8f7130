package portable

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"mallard/internal/classfile"
	"mallard/internal/instrument"
	"mallard/internal/payload"
	"mallard/internal/placement"
	"mallard/internal/trace"
)

// Options says how a program is made.
type Options struct {
	Placement placement.Strategy
	Contexts  bool   // who called what allocates is recorded as well
	Version   string // of mallard

	// Packages of java.base that count as well. Launcher is a java of the JDK that is to run the program, and Patch
	// gets the jar that patches its java.base.
	Packages []string
	Launcher string
	Patch    io.Writer
}

// track says what is recorded, as trace.Process.Track has it.
func (o *Options) track() string {
	if o.Contexts {
		return "contexts"
	}
	return "sites"
}

// Result says what became of a program.
type Result struct {
	Classes      int // in the input
	Instrumented int // that were changed
	Counters     int
	Skipped      []Skipped
	Signed       bool     // signatures were left out
	Nested       []string // jars inside the jar that were left as they are, as they are no libraries of it
}

// Skipped is a class, or a method of one, that counts nothing because something is wrong with it.
type Skipped struct {
	Name   string // entry of the jar
	Reason string
}

// Instrument makes a jar of the jar or the folder of classes at path. An error that has to do with the input names it.
func Instrument(path string, out io.Writer, o Options) (*Result, error) {
	in, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer in.close()
	runtime, err := payload.Portable()
	if err != nil {
		return nil, err
	}
	d, err := newDefinitions()
	if err != nil {
		return nil, err
	}
	p := &producer{options: o, prefix: compiledPackage + "x" + in.id + "/", out: zip.NewWriter(out), loader: appLoader,
		definitions: d, result: &Result{}}
	extract := runtime[extractor]
	if len(o.Packages) > 0 {
		p.prefix = "java/lang/$Portable" + in.id + "$"
		p.patch = zip.NewWriter(o.Patch)
		if err := moveGate(runtime); err != nil {
			return nil, err
		}
	}
	delete(runtime, extractor)
	delete(runtime, "LateGate")
	if err := p.entries(in.entries); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(o.Packages) > 0 {
		if err := p.packages(extract); err != nil {
			return nil, err
		}
	}
	if err := p.finish(runtime); err != nil {
		return nil, err
	}
	return p.result, nil
}

// packages adds the classes of the JDK that count to the patch.
func (p *producer) packages(extract []byte) error {
	jdk, err := jdkClasses(p.options.Launcher, extract, p.options.Packages)
	if err != nil {
		return err
	}
	p.loader = bootLoader
	for _, e := range jdk.entries {
		class, err := e.read(classfile.MaxClassBytes)
		if err != nil {
			return err
		}
		p.result.Classes++
		changed, err := p.instrument(class, e.name)
		if err != nil {
			err = p.skip(e.name, strings.TrimSuffix(e.name, ".class"), err.Error())
		} else if changed != nil {
			err = e.replace(p.patch, changed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// producer is the state of one call of Instrument.
type producer struct {
	options     Options
	prefix      string // of the names of the runtime's classes
	out         *zip.Writer
	patch       *zip.Writer    // of java.base, nil if that does not count
	loader      trace.LoaderID // of the classes at hand
	definitions *definitions
	web         bool   // the input is a web application
	within      string // the jar inside the input that is at hand, with "!/"; "" for the input itself
	signed      bool   // it has signatures
	result      *Result
	read        int64 // bytes of classes
}

func (p *producer) entries(entries []entry) error {
	p.signed = slices.ContainsFunc(entries, func(e entry) bool { return isSignature(e.name) })
	p.result.Signed = p.result.Signed || p.signed
	for _, e := range entries {
		if strings.HasPrefix(strings.TrimPrefix(e.name, webClasses), compiledPackage) {
			return errors.New("its classes count already")
		}
		p.web = p.web || p.within == "" && strings.HasPrefix(e.name, webClasses)
	}
	for _, e := range entries {
		if err := p.entry(e); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return nil
}

// entry adds a file to the jar.
func (p *producer) entry(e entry) error {
	base := e.name[strings.LastIndexByte(e.name, '/')+1:]
	switch {
	case isSignature(e.name), isIndex(e.name):
		return nil
	case e.name == manifestName && p.signed:
		manifest, err := e.read(maxManifest)
		if err != nil {
			return err
		}
		return e.replace(p.out, withoutDigests(manifest))
	case p.within == "" && isLibrary(e.name):
		return p.library(e)
	case strings.HasSuffix(base, ".jar"):
		p.result.Nested = append(p.result.Nested, p.within+e.name)
	case strings.HasSuffix(base, ".class"):
		return p.class(e, base == "module-info.class")
	}
	return e.copyAs(p.out)
}

// class adds a class that counts, or says why it does not.
func (p *producer) class(e entry, module bool) error {
	class, err := e.read(min(classfile.MaxClassBytes, maxClassBytes-p.read))
	if p.read += int64(len(class)); p.read >= maxClassBytes {
		return fmt.Errorf("all classes together have more than %d bytes", int64(maxClassBytes))
	}
	var changed []byte
	switch {
	case err != nil:
	case module:
		changed, err = withoutPackages(class)
	default:
		p.result.Classes++
		changed, err = p.instrument(class, e.name)
	}
	if err != nil {
		if err := p.skip(e.name, strings.TrimSuffix(e.name, ".class"), err.Error()); err != nil {
			return err
		}
	}
	if changed == nil {
		return e.copyAs(p.out)
	}
	return e.replace(p.out, changed)
}

// instrument gives the class that counts; nil if nothing was to be changed.
func (p *producer) instrument(class []byte, entry string) ([]byte, error) {
	d := p.definitions
	d.seen.Classes++
	name, s, err := instanceLayoutOf(class)
	if err != nil {
		return nil, err
	}
	// the first one is that of all releases, where there are several
	if _, known := d.layouts[name]; !known && p.loader == appLoader {
		d.layouts[name] = s
	}
	o := instrument.Options{Placement: p.options.Placement, Portable: p.prefix}
	if p.options.Contexts {
		o.Contexts = instrument.Tree
	}
	r, err := rewrite(class, o)
	if err == nil {
		err = d.hasRoom(r)
	}
	if err != nil {
		return nil, err
	}
	for _, m := range r.Skipped {
		if err := p.skip(entry, name, fmt.Sprintf("method %s: %s", m.Method, m.Reason)); err != nil {
			return nil, err
		}
	}
	if r.Bytes == nil {
		d.seen.Unchanged++
		return nil, nil
	}
	p.result.Instrumented++
	d.seen.Instrumented++
	d.seen.Methods += uint64(len(r.Methods))
	for i := range r.Methods {
		if r.Methods[i].Fallback != "" {
			d.seen.Fallback++
		}
	}
	return r.Bytes, d.define(r, p.loader, len(class))
}

// rewrite guards against our own mistakes.
func rewrite(class []byte, o instrument.Options) (r *instrument.Result, err error) {
	defer func() {
		if e := recover(); e != nil {
			r, err = nil, fmt.Errorf("internal error: %v", e)
		}
	}()
	return instrument.Rewrite(class, o)
}

// skip says that a class, or a method of one, counts nothing.
func (p *producer) skip(entry, class, reason string) error {
	p.result.Skipped = append(p.result.Skipped, Skipped{p.within + entry, reason})
	return p.definitions.write(&trace.Skipped{Loader: p.loader, Name: class, Reason: reason})
}

// losses is what a recording cannot have without an agent, in words for the user. What was counted comes before.
var losses = []trace.Loss{
	{Kind: "portable", Detail: "bytes are estimates: sizes were computed as HotSpot lays out objects, and not asked " +
		"of the JVM"},
	{Kind: "portable", Detail: "what shutdown hooks and daemon threads made while the recording was being written " +
		"may be missing"},
}

// counted says which classes count.
func (p *producer) counted() string {
	if p.patch == nil {
		return "only the classes of the instrumented jar were counted, not those of the JDK, those made at run time " +
			"(Foo::new is one), or what native code makes"
	}
	return "only the classes of the instrumented jar and, from the start of the program's main class on, of " +
		strings.Join(p.options.Packages, ", ") +
		" were counted, not the other ones of the JDK, those made at run time (Foo::new is one), or what native code " +
		"makes"
}

// liveFramesLoss is one more with paths.
var liveFramesLoss = trace.Loss{Kind: "live-frames", Detail: "counts are exact up to live frames: nobody looked at " +
	"the stacks of threads that had not ended"}

// finish adds what the runtime needs.
func (p *producer) finish(runtime map[string][]byte) error {
	d := p.definitions
	p.result.Counters = int(d.counters)
	d.seen.Skipped = d.seen.Classes - d.seen.Instrumented - d.seen.Unchanged
	known := slices.Concat([]trace.Loss{{Kind: "portable", Detail: p.counted()}}, losses)
	if p.options.Placement != placement.Site {
		known = append(known, liveFramesLoss)
	}
	for i := range known {
		if err := d.write(&known[i]); err != nil {
			return err
		}
	}
	blocks, facts, err := d.finish(p.options)
	if err != nil {
		return err
	}
	for _, root := range p.roots() {
		for _, name := range slices.Sorted(maps.Keys(runtime)) {
			class, err := relocated(runtime[name], p.prefix, constants{countersPlaceholder: max(d.counters, 1),
				methodsPlaceholder: d.methods})
			if err != nil {
				return err
			}
			if err := p.add(root, name+".class", zip.Deflate, class); err != nil {
				return err
			}
		}
		if err := p.add(root, "definitions", zip.Store, blocks); err != nil {
			return err
		}
		if err := p.add(root, "facts", zip.Deflate, facts); err != nil {
			return err
		}
	}
	if p.patch != nil {
		if err := p.patch.Close(); err != nil {
			return err
		}
	}
	return p.out.Close()
}

// epoch is the time of what has none: the first that a jar can say.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// webClasses is where a web application has its classes: a server shows them nothing that is elsewhere in the archive.
const webClasses = "WEB-INF/classes/"

// roots lists the places in the jar where class loaders look for the runtime.
func (p *producer) roots() []string {
	if p.web && p.patch == nil {
		return []string{"", webClasses}
	}
	return []string{""}
}

// add adds a file of the runtime.
func (p *producer) add(root, name string, method uint16, contents []byte) error {
	out := p.out
	if p.patch != nil {
		out = p.patch
	}
	return add(out, &zip.FileHeader{Name: root + p.prefix + name, Method: method, Modified: epoch}, contents)
}
