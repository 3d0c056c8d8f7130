package instrument

import (
	"bytes"
	"fmt"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/classfile"
	"mallard/internal/placement"
)

// Options says how to instrument.
type Options struct {
	Placement placement.Strategy
	Placed    func(m *Method, pl *placement.Plan) // if set, sees each method's plan; measurements want the graphs behind them
}

// Rewrite instruments a class. Where nothing has to change, Result.Bytes is nil. The result keeps nothing of class. An error means that
// the class as a whole cannot be read or written; what concerns one method is in Result.Skipped.
func Rewrite(class []byte, o Options) (*Result, error) {
	c, err := classfile.Parse(class)
	if err != nil {
		return nil, err
	}
	w := &rewriter{class: c, options: o, calls: calls{pool: c.Pool}}
	if w.result.Name, err = c.Name(); err != nil {
		return nil, err
	}
	w.result.Name = strings.Clone(w.result.Name)
	if w.super, err = c.SuperName(); err != nil {
		return nil, err
	}
	w.result.Source = strings.Clone(sourceFile(c))
	if w.result.Name == RuntimeName {
		return &w.result, nil
	}
	changed := w.result.Name == threadClass
	if changed {
		if err := addPageField(c); err != nil {
			return nil, err
		}
	}
	for i := range c.Methods {
		touched, err := w.method(&c.Methods[i])
		if err != nil {
			return nil, err
		}
		changed = changed || touched
	}
	if !changed {
		return &w.result, nil
	}
	if w.result.Bytes, err = c.AppendTo(make([]byte, 0, len(class)+len(class)/4+256)); err != nil {
		return nil, err
	}
	w.result.Counters = w.calls.next
	for _, i := range w.calls.numbers {
		w.result.patches = append(w.result.patches, c.Pool.Offset(i)+1)
	}
	return &w.result, nil
}

// rewriter is the state of one call of Rewrite.
type rewriter struct {
	class   *classfile.Class
	super   string
	options Options
	calls   calls
	result  Result
}

// maxCompiled is the longest method in bytes that HotSpot compiles (HugeMethodLimit).
const maxCompiled = 8000

// method instruments one method; false if it stays as it was.
func (w *rewriter) method(m *classfile.Member) (bool, error) {
	attribute := w.class.Pool.FindAttribute(m.Attributes, classfile.AttrCode)
	if attribute == nil {
		return false, nil
	}
	name, err := w.class.Pool.Utf8(m.Name)
	if err != nil {
		return false, err
	}
	descriptor, err := w.class.Pool.Utf8(m.Descriptor)
	if err != nil {
		return false, err
	}
	raw, err := classfile.DecodeCode(attribute.Info)
	if err != nil {
		return false, fmt.Errorf("method %s%s: %w", name, descriptor, err)
	}
	hook := hook(w.result.Name, name, descriptor)
	if !mayAllocate(raw.Bytecode) && hook == "" {
		return false, nil
	}
	numbers, next := len(w.calls.numbers), w.calls.next
	info, method, err := w.body(raw, name, descriptor, hook)
	if err != nil {
		w.calls.numbers, w.calls.next = w.calls.numbers[:numbers], next // constants stay in the pool, unused
		w.result.Skipped = append(w.result.Skipped, Skipped{name + descriptor, err.Error()})
		return false, nil
	}
	if info == nil {
		return false, nil
	}
	attribute.Info = info
	w.result.Methods = append(w.result.Methods, *method)
	return true, nil
}

// mayAllocate is false for code that has no byte in common with an allocation: most methods are told apart without being decoded.
func mayAllocate(code []byte) bool {
	return bytes.IndexByte(code, byte(bytecode.OpNew)) >= 0 || bytes.IndexByte(code, byte(bytecode.OpNewarray)) >= 0 ||
		bytes.IndexByte(code, byte(bytecode.OpAnewarray)) >= 0 || bytes.IndexByte(code, byte(bytecode.OpMultianewarray)) >= 0
}

// body gives the new contents of a Code attribute and what was put there; nil where nothing allocates.
func (w *rewriter) body(raw *classfile.Code, name, descriptor, hook string) ([]byte, *Method, error) {
	pool := w.class.Pool
	code, err := bytecode.Decode(raw, pool)
	if err != nil {
		return nil, nil, err
	}
	code.Version = w.class.Major
	allocations, sites, err := findSites(code, pool)
	if err != nil || len(allocations) == 0 && hook == "" {
		return nil, nil, err
	}
	graph, err := cfg.Build(code, pool, cfg.MethodInfo{Name: name, Class: w.result.Name, Super: w.super})
	if err != nil {
		return nil, nil, err
	}
	findLengths(code, pool, graph, allocations, sites)
	p := &plan{code: code, calls: &w.calls, method: &Method{Name: strings.Clone(name), Descriptor: strings.Clone(descriptor), Sites: sites}}
	if err := p.hook(hook); err != nil {
		return nil, nil, err
	}
	if err := p.sums(allocations); err != nil {
		return nil, nil, err
	}
	if err := p.paths(graph, allocations, w.options.Placement); err != nil {
		return nil, nil, err
	}
	if w.options.Placed != nil {
		w.options.Placed(p.method, p.placed)
	}
	rewritten, err := code.Rewrite(p.insertions)
	if err != nil {
		return nil, nil, err
	}
	if n := len(rewritten.Code.Bytecode); n > maxCompiled && len(raw.Bytecode) <= maxCompiled && name != "<clinit>" {
		return nil, nil, fmt.Errorf("would have %d bytes with counters, and HotSpot compiles no method over %d", n, maxCompiled)
	}
	p.method.owed = p.owe(rewritten)
	p.method.Crosses = p.crosses(pool)
	info, err := rewritten.Code.AppendTo(make([]byte, 0, len(rewritten.Code.Bytecode)+1024))
	return info, p.method, err
}

// sourceFile gives the class's SourceFile attribute (JVMS 4.7.10), "" without a valid one.
func sourceFile(c *classfile.Class) string {
	a := c.Pool.FindAttribute(c.Attributes, classfile.AttrSourceFile)
	if a == nil || len(a.Info) != 2 {
		return ""
	}
	s, err := c.Pool.Utf8(classfile.PoolIndex(a.Info[0])<<8 | classfile.PoolIndex(a.Info[1]))
	if err != nil {
		return ""
	}
	return s
}
