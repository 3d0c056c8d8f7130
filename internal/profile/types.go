package profile

import (
	"fmt"
	"slices"

	"mallard/internal/trace"
)

// typeTable knows which loaders define a class name and how large its
// instances are. A site names a type without its loader; where several loaders
// define the name, the one that loaded the site's own class is meant if it is
// among them, otherwise nobody can tell.
type typeTable struct {
	loaders map[trace.LoaderID]trace.Loader
	classes map[string][]classEntry // by internal name
}

// classEntry is one class of a name.
type classEntry struct {
	loader trace.LoaderID
	bytes  uint32 // instance size, 0 unknown
}

func newTypeTable() typeTable {
	return typeTable{loaders: map[trace.LoaderID]trace.Loader{}, classes: map[string][]classEntry{}}
}

// entry returns the entry of a class, a new one if there was none.
func (t *typeTable) entry(name string, loader trace.LoaderID) *classEntry {
	entries := t.classes[name]
	i := slices.IndexFunc(entries, func(e classEntry) bool { return e.loader == loader })
	if i < 0 {
		i = len(entries)
		entries = append(entries, classEntry{loader: loader})
		t.classes[name] = entries
	}
	return &entries[i]
}

func (t *typeTable) define(name string, loader trace.LoaderID) { t.entry(name, loader) }

func (t *typeTable) size(name string, loader trace.LoaderID, bytes uint32) {
	t.entry(name, loader).bytes = bytes
}

// instanceBytes returns the size of an instance of the class that code loaded
// by loader means by name, 0 if it is unknown. Where it is open which of
// several classes is meant, their size counts if it is the same for all.
func (t *typeTable) instanceBytes(name string, loader trace.LoaderID) int64 {
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
func (t *typeTable) defines(name string, loader trace.LoaderID) bool {
	return slices.ContainsFunc(t.classes[name], func(e classEntry) bool { return e.loader == loader })
}

// declaring names the loader of a class that is known to be loaded by loader,
// empty if its name was loaded once only.
func (t *typeTable) declaring(name string, loader trace.LoaderID) string {
	if len(t.classes[name]) < 2 {
		return ""
	}
	return t.title(loader)
}

// allocated is declaring for a class that code loaded by loader names. It is
// empty too if it is open which class is meant.
func (t *typeTable) allocated(name string, loader trace.LoaderID) string {
	if !t.defines(name, loader) {
		return ""
	}
	return t.declaring(name, loader)
}

// title names a loader: bootstrap, or its own name or its class, with its
// number in the recording.
func (t *typeTable) title(id trace.LoaderID) string {
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
