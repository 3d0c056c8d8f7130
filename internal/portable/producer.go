package portable

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mallard/internal/classfile"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

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
			return errors.New("its classes are instrumented already")
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
		err = d.checkLimits(r)
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

// library adds a jar inside the jar, whose classes count. One with which something is wrong stays as it is.
func (p *producer) library(e entry) error {
	contents, err := p.counting(e)
	if err != nil {
		p.result.Skipped = append(p.result.Skipped, Skipped{e.name, err.Error()})
		return e.copyAs(p.out)
	}
	return e.replace(p.out, contents)
}

// counting gives a jar inside the jar with classes that count.
func (p *producer) counting(e entry) ([]byte, error) {
	in, err := e.openLibrary()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	out, signed := p.out, p.signed
	p.out, p.within = zip.NewWriter(&b), e.name+"!/"
	defer func() { p.out, p.signed, p.within = out, signed, "" }()
	if err := p.entries(in.entries); err != nil {
		return nil, err
	}
	err = p.out.Close()
	return b.Bytes(), err
}
