package instrument

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"mallard/internal/abi"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
	"mallard/internal/instrument/emit"
)

// IsRuntime reports whether a class, in internal form, is one of the runtime classes.
func IsRuntime(class string) bool { return slices.Contains(emit.RuntimeNames[:], class) }

// Facts about a JVM that the runtime classes have as constants.
type Facts struct {
	Feature   int       // 17, 21, ...
	ArrayBase [5]uint32 // header bytes of arrays: elements of 1, 2, 4, 8 bytes, references
	Reference uint32    // bytes of a reference: 4 or 8
	Alignment uint32    // of objects, in bytes
	Blocks    CounterBlocks
	Contexts  ContextFacts
	Bytecodes bool   // executed bytecodes are counted
	Every     int64  // bytecodes that a thread executes between two snapshots; 0: these are taken by time
	Klass     uint32 // offset of the VM's pointer to its own description of a class in the java.lang.Class
	Layout    uint32 // offset of the layout helper in that description
	Virtual   uint32 // offset of its table of virtual methods, a pointer each
	// threads enter transactions, and contexts are a [Tree]: where code counts it is to look whether it is in one
	Entered bool
	// the JVM was started without Mallard: its classes have no fields of ours
	Attached bool
	Watched  bool // objects are watched
}

// CounterBlocks says where in the JVM's memory threads count.
type CounterBlocks struct {
	States     uint64 // address of the table of states, a 32-bit word a block: 0 free, 1 taken
	Count      uint32
	First      uint64 // address of block 0, shared by the threads that find no other
	Shared     uint64 // another address of block 0, which the fields of threads are relative to
	Bytes      uint64 // of a block
	Primordial uint64 // address of the block of the VM's first thread
}

// ContextFacts says where in the JVM's memory contexts are (package calltree). The zero value has none.
type ContextFacts struct {
	Nodes              uint64 // address that offsets of nodes are relative to; 0: no contexts
	Early              uint64 // offset of the nodes of the early time
	Top, Limit         uint64 // addresses of words: the first byte that is free, the end of what may be taken
	Methods, CallNames uint64 // addresses of tables
	Additions, Anchors uint64 // the same, where contexts are encoded; Additions is 0 elsewhere
	MostAnchors        uint64 // how many the table of anchors has
	Returns            uint32 // number of the call that method 0 would return from, where contexts are encoded
}

// carrierSince is the first JDK with virtual threads (JEP 425), where a thread may be carried by another.
const carrierSince = 19

// namesOnceSince is the first JDK that makes one String when it asks a class loader for a class.
const namesOnceSince = 18

// How many counters there are before the first thread is started. The classes that are loaded by then have some
// thousand counters (14,000 on JDK 25 with ducktracks), and 16,000 with bytecodes; a range that the agent has reserved
// and does not use makes the numbers of others higher. Powers of two.
const (
	earlyCounters  = 1 << 15
	earlyBytecodes = 1 << 17
)

// RuntimeFile is a runtime class for one JVM, up to what only the agent in it will know.
type RuntimeFile struct {
	Name string // internal form
	File []byte
	Late []LateFact
}

// LateFact is where a class file has a constant that the agent is to write.
type LateFact struct {
	Offset uint32 // of its eight bytes
	Fact   uint32 // LateArrayBase to LateVirtual in package abi
}

// late are the numbers of late facts by what the source has for them.
var late = map[uint64]uint32{
	abi.FactArrayBase:     abi.LateArrayBase,
	abi.FactArrayBase8:    abi.LateArrayBase8,
	abi.FactArrayBaseRef:  abi.LateArrayBaseRef,
	abi.FactReference:     abi.LateReference,
	abi.FactAlignmentMask: abi.LateAlignmentMask,
	abi.FactKlass:         abi.LateKlass,
	abi.FactLayoutHelper:  abi.LateLayoutHelper,
	abi.FactVirtual:       abi.LateVirtual,
}

// Runtime gives the runtime classes for one JVM, in the order in which they are to be defined; [emit.RuntimeName] is
// the first. The last is [allocations.StandInsName], which is to be instrumented. They are classes, as compiled from
// runtime/ and by their names, with the facts written over their constants, but for the late ones.
func Runtime(classes map[string][]byte, f Facts) ([]RuntimeFile, error) {
	var out []RuntimeFile
	for _, name := range emit.RuntimeNames {
		if name == emit.BytecodesName && f.Every == 0 || name == emit.AttachedName && !f.Attached ||
			name == emit.WatchName && !f.Watched {
			continue
		}
		file, err := runtimeFile(classes, name, f, late)
		if err != nil {
			return nil, err
		}
		file.Name = name
		out = append(out, file)
	}
	standIns, err := annotate(classes[allocations.StandInsName], hiddenType, compiledType)
	if err != nil {
		return nil, fmt.Errorf("instrument: runtime class %s: %w", allocations.StandInsName, err)
	}
	return append(out, RuntimeFile{Name: allocations.StandInsName, File: standIns}), nil
}

// RuntimeClass gives one of them, with all facts.
func RuntimeClass(classes map[string][]byte, name string, f Facts) ([]byte, error) {
	file, err := runtimeFile(classes, name, f, nil)
	return file.File, err
}

func runtimeFile(classes map[string][]byte, name string, f Facts, late map[uint64]uint32) (RuntimeFile, error) {
	var file RuntimeFile
	class, err := annotate(classes[name], hiddenType)
	if err == nil && f.Attached {
		class, err = withoutField(class, f.Feature >= carrierSince)
	}
	if err == nil {
		file, err = withFacts(class, f.constants(), late, f.renamed())
	}
	if err == nil && name == emit.RuntimeName {
		err = enlargeProbe(file.File)
	}
	if err != nil {
		return RuntimeFile{}, fmt.Errorf("instrument: runtime class %s: %w", name, err)
	}
	return file, nil
}

// constants are the facts by what the source has for them.
func (f *Facts) constants() map[uint64]uint64 {
	facts := map[uint64]uint64{
		abi.FactArrayBase:     uint64(f.ArrayBase[0]),
		abi.FactArrayBase8:    uint64(f.ArrayBase[3]),
		abi.FactArrayBaseRef:  uint64(f.ArrayBase[4]),
		abi.FactReference:     uint64(f.Reference),
		abi.FactAlignmentMask: uint64(f.Alignment) - 1,
		abi.FactStates:        f.Blocks.States,
		abi.FactBlocks:        uint64(f.Blocks.Count),
		abi.FactOverflow:      f.Blocks.First,
		abi.FactBlockBytes:    f.Blocks.Bytes,
		abi.FactPrimordial:    f.Blocks.Primordial,
		abi.FactKlass:         uint64(f.Klass),
		abi.FactLayoutHelper:  uint64(f.Layout),
		abi.FactVirtual:       uint64(f.Virtual),
		abi.FactContexts:      min(f.Contexts.Nodes, 1),
		abi.FactNodes:         f.Contexts.Nodes,
		abi.FactEarlyNodes:    f.Contexts.Early,
		abi.FactTop:           f.Contexts.Top,
		abi.FactMethods:       f.Contexts.Methods,
		abi.FactCalls:         f.Contexts.CallNames,
		abi.FactLimit:         f.Contexts.Limit,
		abi.FactEarly:         earlyCounters,
		abi.FactAdditions:     f.Contexts.Additions,
		abi.FactAnchors:       f.Contexts.Anchors,
		abi.FactMostAnchors:   f.Contexts.MostAnchors,
		abi.FactReturns:       uint64(f.Contexts.Returns),
		abi.FactEvery:         uint64(f.Every),
		abi.FactShared:        f.Blocks.Shared,
	}
	if f.Bytecodes {
		facts[abi.FactEarly] = earlyBytecodes
	}
	return facts
}

// renamed says what is called in the place of methods that the source calls: JDKs without virtual threads have no
// carriers, and where no thread is in a transaction that it has entered nobody looks for that.
func (f *Facts) renamed() map[string]string {
	renamed := map[string]string{}
	if f.Feature < carrierSince {
		renamed["currentCarrierThread"] = "currentThread"
	}
	if f.Feature < namesOnceSince {
		renamed["twice"] = "always"
	}
	if !f.Entered {
		renamed["counted"] = "at"
	}
	return renamed
}

// withFacts writes facts into a class file, but for late ones, and renames what it calls.
func withFacts(class []byte, facts map[uint64]uint64, late map[uint64]uint32,
	renamed map[string]string) (RuntimeFile, error) {
	out := RuntimeFile{File: slices.Clone(class)}
	c, err := classfile.Parse(class)
	if err != nil {
		return RuntimeFile{}, err
	}
	names := map[string]classfile.PoolIndex{}
	for i := classfile.PoolIndex(1); int(i) < c.Pool.Len(); i++ {
		if c.Pool.Tag(i) != classfile.TagUtf8 {
			continue
		}
		name, err := c.Pool.Utf8(i)
		if err != nil {
			return RuntimeFile{}, err
		}
		names[name] = i
	}
	for i := classfile.PoolIndex(1); int(i) < c.Pool.Len(); i++ {
		switch c.Pool.Tag(i) {
		case classfile.TagLong:
			v, err := c.Pool.Long(i)
			if err != nil {
				return RuntimeFile{}, err
			}
			if uint64(v)>>32 == abi.FactMark>>32 {
				fact, ok := facts[uint64(v)]
				if !ok {
					return RuntimeFile{}, fmt.Errorf("there is no fact %#x", v)
				}
				at := c.Pool.Offset(i) + 1
				if number, isLate := late[uint64(v)]; isLate {
					out.Late = append(out.Late, LateFact{Offset: uint32(at), Fact: number})
				} else {
					binary.BigEndian.PutUint64(out.File[at:], fact)
				}
			}
		case classfile.TagNameAndType:
			name, _, err := c.Pool.NameAndType(i)
			if err != nil {
				return RuntimeFile{}, err
			}
			if other, ok := renamed[name]; ok {
				if names[other] == 0 {
					return RuntimeFile{}, fmt.Errorf("it does not name %s", other)
				}
				binary.BigEndian.PutUint16(out.File[c.Pool.Offset(i)+1:], uint16(names[other]))
			}
		}
	}
	return out, nil
}

// probeLocals makes the frame of $Mallard.probeStack larger than a page of 4 KB. Interpreted code is let in only if
// there is room for the frame; a method that is compiled, and called by interpreted code, checks for what is beyond its
// caller's next page only if a frame that it may have in the interpreter is larger than a page.
const probeLocals = 520

// enlargeProbe gives $Mallard.probeStack its locals.
func enlargeProbe(class []byte) error {
	c, err := classfile.Parse(class)
	if err != nil {
		return err
	}
	for i := range c.Methods {
		m := &c.Methods[i]
		name, err := c.Pool.Utf8(m.Name)
		if err != nil {
			return err
		}
		if code := c.Pool.FindAttribute(m.Attributes, classfile.AttrCode); code != nil && name == emit.ProbeName {
			binary.BigEndian.PutUint16(code.Info[2:], probeLocals)
			return nil
		}
	}
	return errors.New("there is no method probeStack")
}
