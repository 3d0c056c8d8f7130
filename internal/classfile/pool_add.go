package classfile

import "math"

// Add returns the index of an entry equal to x, the lowest if there are
// several, and appends x if there is none. Floating point values are equal if
// their bits are. It fails with ErrPoolFull when no index is left.
func (p *Pool) Add(x Entry) (PoolIndex, error) {
	if p.slots == nil {
		p.buildIndex()
	}
	start := len(p.added)
	longer, err := x.appendTo(p.added)
	if err != nil {
		return 0, err
	}
	e := longer[start:]
	slot, i := p.findSlot(e)
	if i != 0 {
		return i, nil
	}
	if i, err = p.extend(longer, x.Tag); err != nil {
		return 0, err
	}
	p.fillSlot(slot, i)
	return i, nil
}

// Append adds x as a new entry even if there is an equal one, and keeps it to
// the caller: Add will never return it.
func (p *Pool) Append(x Entry) (PoolIndex, error) {
	longer, err := x.appendTo(p.added)
	if err != nil {
		return 0, err
	}
	return p.extend(longer, x.Tag)
}

// AppendInteger adds an Integer constant of the caller's own, whose four bytes
// (at Offset + 1 of the encoded class) may be patched later.
func (p *Pool) AppendInteger(v int32) (PoolIndex, error) {
	return p.Append(Entry{Tag: TagInteger, Bits: uint64(uint32(v))})
}

// extend makes longer, which is p.added and one entry more, the added entries.
func (p *Pool) extend(longer []byte, tag Tag) (PoolIndex, error) {
	i := p.Len()
	if i+tag.width() > MaxPoolCount || len(p.base)+len(longer) > MaxClassBytes {
		return 0, ErrPoolFull
	}
	p.offsets = append(p.offsets, uint32(len(p.base)+len(p.added)))
	if tag.width() == 2 {
		p.offsets = append(p.offsets, 0)
	}
	p.added = longer
	return PoolIndex(i), nil
}

// The methods below find or append one constant, and before it those it
// refers to. After an error some of the latter may have been added.

// AddUtf8 adds a Utf8 constant; s is modified UTF-8 (see EncodeModifiedUTF8).
func (p *Pool) AddUtf8(s string) (PoolIndex, error) {
	return p.Add(Entry{Tag: TagUtf8, Utf8: s})
}

// AddInteger adds an Integer constant.
func (p *Pool) AddInteger(v int32) (PoolIndex, error) {
	return p.Add(Entry{Tag: TagInteger, Bits: uint64(uint32(v))})
}

// AddFloat adds a Float constant.
func (p *Pool) AddFloat(v float32) (PoolIndex, error) {
	return p.Add(Entry{Tag: TagFloat, Bits: uint64(math.Float32bits(v))})
}

// AddLong adds a Long constant, which takes two indexes.
func (p *Pool) AddLong(v int64) (PoolIndex, error) {
	return p.Add(Entry{Tag: TagLong, Bits: uint64(v)})
}

// AddDouble adds a Double constant, which takes two indexes.
func (p *Pool) AddDouble(v float64) (PoolIndex, error) {
	return p.Add(Entry{Tag: TagDouble, Bits: math.Float64bits(v)})
}

// AddClass adds a Class constant; name is in internal form.
func (p *Pool) AddClass(name string) (PoolIndex, error) { return p.addNamed(TagClass, name) }

// AddString adds a String constant.
func (p *Pool) AddString(s string) (PoolIndex, error) { return p.addNamed(TagString, s) }

// AddMethodType adds a MethodType constant.
func (p *Pool) AddMethodType(descriptor string) (PoolIndex, error) {
	return p.addNamed(TagMethodType, descriptor)
}

// AddModule adds a Module constant.
func (p *Pool) AddModule(name string) (PoolIndex, error) { return p.addNamed(TagModule, name) }

// AddPackage adds a Package constant; name is in internal form.
func (p *Pool) AddPackage(name string) (PoolIndex, error) { return p.addNamed(TagPackage, name) }

func (p *Pool) addNamed(tag Tag, name string) (PoolIndex, error) {
	n, err := p.AddUtf8(name)
	if err != nil {
		return 0, err
	}
	return p.Add(Entry{Tag: tag, A: n})
}

// AddNameAndType adds a NameAndType constant.
func (p *Pool) AddNameAndType(name, descriptor string) (PoolIndex, error) {
	n, err := p.AddUtf8(name)
	if err != nil {
		return 0, err
	}
	d, err := p.AddUtf8(descriptor)
	if err != nil {
		return 0, err
	}
	return p.Add(Entry{Tag: TagNameAndType, A: n, B: d})
}

// AddFieldref adds a Fieldref constant.
func (p *Pool) AddFieldref(class, name, descriptor string) (PoolIndex, error) {
	return p.addRef(TagFieldref, class, name, descriptor)
}

// AddMethodref adds a Methodref constant.
func (p *Pool) AddMethodref(class, name, descriptor string) (PoolIndex, error) {
	return p.addRef(TagMethodref, class, name, descriptor)
}

// AddInterfaceMethodref adds an InterfaceMethodref constant.
func (p *Pool) AddInterfaceMethodref(class, name, descriptor string) (PoolIndex, error) {
	return p.addRef(TagInterfaceMethodref, class, name, descriptor)
}

func (p *Pool) addRef(tag Tag, class, name, descriptor string) (PoolIndex, error) {
	c, err := p.AddClass(class)
	if err != nil {
		return 0, err
	}
	nt, err := p.AddNameAndType(name, descriptor)
	if err != nil {
		return 0, err
	}
	return p.Add(Entry{Tag: tag, A: c, B: nt})
}

// AddMethodHandle adds a MethodHandle constant; ref is a constant of the pool.
func (p *Pool) AddMethodHandle(kind ReferenceKind, ref PoolIndex) (PoolIndex, error) {
	return p.Add(Entry{Tag: TagMethodHandle, A: PoolIndex(kind), B: ref})
}

// AddDynamic adds a Dynamic constant; bootstrap is an index into
// BootstrapMethods.Methods.
func (p *Pool) AddDynamic(bootstrap uint16, name, descriptor string) (PoolIndex, error) {
	return p.addDynamic(TagDynamic, bootstrap, name, descriptor)
}

// AddInvokeDynamic adds an InvokeDynamic constant; bootstrap is an index into
// BootstrapMethods.Methods.
func (p *Pool) AddInvokeDynamic(bootstrap uint16, name, descriptor string) (PoolIndex, error) {
	return p.addDynamic(TagInvokeDynamic, bootstrap, name, descriptor)
}

func (p *Pool) addDynamic(tag Tag, bootstrap uint16, name, descriptor string) (PoolIndex, error) {
	nt, err := p.AddNameAndType(name, descriptor)
	if err != nil {
		return 0, err
	}
	return p.Add(Entry{Tag: tag, A: PoolIndex(bootstrap), B: nt})
}
