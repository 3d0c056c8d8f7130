package classes

import (
	"strings"

	"mallard/internal/abi"
	"mallard/internal/instrument"
	"mallard/internal/instrument/allocations"
	"mallard/internal/trace"
)

// tagBits say in the JVM of which tags' objects nobody knows before they are tagged.
type tagBits interface {
	SetUnshown(tag uint32, is bool)
	ClearUnshown()
}

// unshownClasses are those of which no constructor shows its object to anyone before it is over, be it one of a
// superclass's. Code that makes objects of such a class need not mind others when it tags them.
//
// A class is looked for in the loader of the class that names it, where it can be no other's; those in java.* are the
// boot loader's. What another agent makes of a class when it is loaded is not known: where code for that is loaded
// there are none from then on.
type unshownClasses struct {
	bits  tagBits
	of    map[trace.LoaderID]map[string]*constructed // by the loader of who names them
	ended bool
}

// constructed is a class, as far as it is known.
type constructed struct {
	loaded, alone bool // alone: its own constructors show their object to nobody
	unshown       bool // and neither do its superclasses'
	super         *constructed
	below         map[trace.LoaderID][]*constructed // classes of a loader that extend it
	tags          map[trace.LoaderID][]uint32       // of sites in a loader's classes that make its objects
}

// transformer is loaded with the first agent that is written in Java.
const transformer = "sun/instrument/InstrumentationImpl"

// find gives what a loader's classes mean by a name.
func (u *unshownClasses) find(loader trace.LoaderID, name string) *constructed {
	if u.of[loader] == nil {
		if u.of == nil {
			u.of = map[trace.LoaderID]map[string]*constructed{}
		}
		u.of[loader] = map[string]*constructed{}
	}
	c := u.of[loader][name]
	if c == nil {
		if loader != bootLoader && strings.HasPrefix(name, "java/") {
			c = u.find(bootLoader, name)
		} else {
			root := name == "java/lang/Object" // which the JVM may load before it tells of classes
			c = &constructed{loaded: root, alone: root, unshown: root, below: map[trace.LoaderID][]*constructed{},
				tags: map[trace.LoaderID][]uint32{}}
		}
		u.of[loader][name] = c
	}
	return c
}

// load takes a class that is being defined, or redefined.
func (u *unshownClasses) load(loader trace.LoaderID, r *instrument.Result) {
	if r.Name == transformer {
		u.end()
	}
	if u.ended {
		return
	}
	c := u.find(loader, r.Name)
	if c.loaded {
		c.alone = c.alone && r.Unshown
		u.update(c)
		return
	}
	c.loaded, c.alone = true, r.Unshown
	if r.Super != "" {
		c.super = u.find(loader, r.Super)
		c.super.below[loader] = append(c.super.below[loader], c)
	}
	u.update(c)
}

// sites takes the sites of a version of a class, the first of which has the tag.
func (u *unshownClasses) sites(loader trace.LoaderID, r *instrument.Result, tag uint32) {
	if u.ended {
		return
	}
	for i := range r.Methods {
		for _, s := range r.Methods[i].Sites {
			if s.Kind == allocations.Instance && tag < abi.TagNone {
				c := u.find(loader, s.Type)
				c.tags[loader] = append(c.tags[loader], tag)
				if c.unshown {
					u.bits.SetUnshown(tag, true)
				}
			}
			tag++
		}
	}
}

// show notes that nobody knows what a class's constructors do from now on.
func (u *unshownClasses) show(key Key) {
	if u.ended {
		return
	}
	c := u.find(key.Loader, key.Name)
	c.loaded, c.alone = true, false
	u.update(c)
}

// update tells the JVM what has become of a class, and of those that extend it.
func (u *unshownClasses) update(c *constructed) {
	is := c.loaded && c.alone && (c.super == nil || c.super.unshown)
	if is == c.unshown {
		return
	}
	c.unshown = is
	for _, tags := range c.tags {
		u.set(tags, is)
	}
	for _, classes := range c.below {
		for _, b := range classes {
			u.update(b)
		}
	}
}

func (u *unshownClasses) set(tags []uint32, is bool) {
	for _, tag := range tags {
		u.bits.SetUnshown(tag, is)
	}
}

// unload forgets the classes of loaders. Their tags may become others'.
func (u *unshownClasses) unload(loaders []trace.LoaderID) {
	for _, loader := range loaders {
		for _, c := range u.of[loader] {
			u.set(c.tags[loader], false)
			delete(c.tags, loader)
			delete(c.below, loader)
		}
		delete(u.of, loader)
	}
}

// end has all objects be tagged as if others knew them.
func (u *unshownClasses) end() {
	u.bits.ClearUnshown()
	*u = unshownClasses{bits: u.bits, ended: true}
}
