package classfile

// Module is a module declaration (JVMS 4.7.25). Name is a Module constant,
// Version a Utf8 constant or 0, Uses are Class constants.
type Module struct {
	Name     PoolIndex
	Flags    uint16
	Version  PoolIndex
	Requires []Requires
	Exports  []Exports
	Opens    []Opens
	Uses     []PoolIndex
	Provides []Provides
}

// Requires is a dependence on Module, a Module constant. Version is a Utf8
// constant or 0.
type Requires struct {
	Module  PoolIndex
	Flags   uint16
	Version PoolIndex
}

// Exports exports Package, a Package constant, to the modules in To (Module
// constants), to all if there are none.
type Exports struct {
	Package PoolIndex
	Flags   uint16
	To      []PoolIndex
}

// Opens opens a package to reflection, with the fields of Exports.
type Opens Exports

// Provides names implementations With of a Service, all of them Class
// constants.
type Provides struct {
	Service PoolIndex
	With    []PoolIndex
}

func (m *Module) layout(c *codec) {
	c.index(&m.Name)
	u2(c, &m.Flags)
	c.index(&m.Version)
	list(c, &m.Requires, 6, (*Requires).layout)
	list(c, &m.Exports, 6, (*Exports).layout)
	list(c, &m.Opens, 6, (*Opens).layout)
	indexes(c, &m.Uses)
	list(c, &m.Provides, 4, (*Provides).layout)
}

func (r *Requires) layout(c *codec) {
	c.index(&r.Module)
	u2(c, &r.Flags)
	c.index(&r.Version)
}

func (e *Exports) layout(c *codec) {
	c.index(&e.Package)
	u2(c, &e.Flags)
	indexes(c, &e.To)
}

func (o *Opens) layout(c *codec) { (*Exports)(o).layout(c) }

func (p *Provides) layout(c *codec) {
	c.index(&p.Service)
	indexes(c, &p.With)
}

// ModulePackages lists all packages of a module, as Package constants
// (JVMS 4.7.26).
type ModulePackages struct {
	Packages []PoolIndex
}

func (m *ModulePackages) layout(c *codec) { indexes(c, &m.Packages) }

// ModuleMainClass is the main class of a module, a Class constant
// (JVMS 4.7.27).
type ModuleMainClass struct {
	Class PoolIndex
}

func (m *ModuleMainClass) layout(c *codec) { c.index(&m.Class) }
