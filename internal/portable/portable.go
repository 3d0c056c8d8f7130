package portable

import (
	"archive/zip"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"mallard/internal/classfile"
	"mallard/internal/payload"
	"mallard/internal/placement"
	"mallard/internal/trace"
)

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
var liveFramesLoss = trace.Loss{Kind: "live-frames", Detail: "counts are exact except for methods still on a stack: " +
	"those of threads that had not ended were not read"}

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

// roots lists the folders in the jar in which class loaders search for the runtime.
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
