package symbols

import (
	"fmt"
	"slices"

	"mallard/internal/trace"
)

// Classes knows which loaders define a class name and how large its instances are. A site names a type without its
// loader; where several loaders define the name, the one that loaded the site's own class is meant if it is among them,
// otherwise nobody can tell. Names are in the internal form.
type Classes struct {
	loaders map[trace.LoaderID]trace.Loader
	classes map[string][]classEntry // by internal name
}

// classEntry is one class of a name.
type classEntry struct {
	loader trace.LoaderID
	bytes  uint32 // instance size, 0 unknown
}

func newClasses() Classes {
	return Classes{loaders: map[trace.LoaderID]trace.Loader{}, classes: map[string][]classEntry{}}
}

// entry returns the entry of a class, a new one if there was none.
func (t *Classes) entry(name string, loader trace.LoaderID) *classEntry {
	entries := t.classes[name]
	i := slices.IndexFunc(entries, func(e classEntry) bool { return e.loader == loader })
	if i < 0 {
		i = len(entries)
		entries = append(entries, classEntry{loader: loader})
		t.classes[name] = entries
	}
	return &entries[i]
}

func (t *Classes) define(name string, loader trace.LoaderID) { t.entry(name, loader) }

func (t *Classes) size(name string, loader trace.LoaderID, bytes uint32) {
	t.entry(name, loader).bytes = bytes
}

// Has reports whether a class of an internal name was loaded by any loader.
func (t *Classes) Has(name string) bool { return len(t.classes[name]) > 0 }

// InstanceBytes returns the size of an instance of the class that code loaded
// by loader means by name, 0 if it is unknown. Where it is open which of
// several classes is meant, their size counts if it is the same for all.
func (t *Classes) InstanceBytes(name string, loader trace.LoaderID) int64 {
	var common uint32
	differ := false
	for _, e := range t.classes[name] {
		switch {
		case e.bytes == 0:
		case e.loader == loader:
			return int64(e.bytes)
		case common != 0 && common != e.bytes:
			differ = true
		default:
			common = e.bytes
		}
	}
	if differ {
		return 0
	}
	return int64(common)
}

// defines reports whether loader itself defines name.
func (t *Classes) defines(name string, loader trace.LoaderID) bool {
	return slices.ContainsFunc(t.classes[name], func(e classEntry) bool { return e.loader == loader })
}

// Declaring names the loader of a class that is known to be loaded by loader,
// empty if its name was loaded once only.
func (t *Classes) Declaring(name string, loader trace.LoaderID) string {
	if len(t.classes[name]) < 2 {
		return ""
	}
	return t.title(loader)
}

// Loader names a loader, whatever it has loaded, and says whether several have
// loaded classes of a name.
func (t *Classes) Loader(name string, loader trace.LoaderID) (title string, several bool) {
	return t.title(loader), len(t.classes[name]) > 1
}

// Allocated is Declaring for a class that code loaded by loader names. It is
// empty too if it is open which class is meant.
func (t *Classes) Allocated(name string, loader trace.LoaderID) string {
	if !t.defines(name, loader) {
		return ""
	}
	return t.Declaring(name, loader)
}

// title names a loader: bootstrap, or its own name or its class, with its
// number in the recording.
func (t *Classes) title(id trace.LoaderID) string {
	loader, known := t.loaders[id]
	switch {
	case !known:
		return fmt.Sprintf("loader @%d", id)
	case loader.Class == "":
		return "bootstrap"
	case loader.Name != "":
		return fmt.Sprintf("%s @%d", loader.Name, id)
	}
	return fmt.Sprintf("%s @%d", ClassName(loader.Class), id)
}
