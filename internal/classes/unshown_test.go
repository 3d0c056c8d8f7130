package classes

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/instrument"
	"mallard/internal/instrument/allocations"
	"mallard/internal/trace"
)

// bits are the tags that the JVM knows of.
type bits map[uint32]bool

func (b bits) SetUnshown(tag uint32, is bool) {
	if is {
		b[tag] = true
	} else {
		delete(b, tag)
	}
}

func (b bits) ClearUnshown() { clear(b) }

func (b bits) want(t *testing.T, when string, tags ...uint32) {
	t.Helper()
	if diff := cmp.Diff(tags, slices.Sorted(maps.Keys(b))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", when, diff)
	}
}

// constructs is a class that makes objects of others, each at a site.
func constructs(name, super string, unshown bool, makes ...string) *instrument.Result {
	r := &instrument.Result{Name: name, Super: super, Unshown: unshown}
	for _, class := range makes {
		kind := allocations.Instance
		if class[0] == '[' {
			kind = allocations.ArrayLen
		}
		r.Methods = append(r.Methods, instrument.Method{Sites: []allocations.Site{{Kind: kind, Type: class}}})
	}
	return r
}

const object = "java/lang/Object"

// TestUnshownClasses: a site's objects are nobody's as long as all constructors of their class, and of its
// superclasses, are known to show them to nobody, whatever comes first.
func TestUnshownClasses(t *testing.T) {
	said := bits{}
	u := unshownClasses{bits: said}
	u.sites(7, constructs("Main", object, true, "Top", "[LTop;", "Bottom", "Other", object, "java/util/Date", "Bottom"),
		100)
	said.want(t, "before any is loaded", 104)
	u.load(7, constructs("Bottom", "Middle", true))
	u.load(7, constructs("Middle", "Top", true))
	said.want(t, "without the uppermost", 104)
	u.load(7, constructs("Top", object, true))
	said.want(t, "with it", 100, 102, 104, 106)
	u.load(bootLoader, constructs("java/util/Date", object, true))
	u.load(8, constructs("Other", object, true))
	said.want(t, "another loader's class of that name", 100, 102, 104, 105, 106)
	u.load(7, constructs("Other", "Unknown", true))
	u.sites(9, constructs("Elsewhere", object, true, "Other", "Top", "java/util/Date"), 200)
	said.want(t, "of another loader's classes", 100, 102, 104, 105, 106, 202)
	u.load(7, constructs("Middle", "Top", false))
	said.want(t, "a superclass has changed", 100, 104, 105, 202)
	u.load(7, constructs("Middle", "Top", true))
	said.want(t, "nobody trusts it again", 100, 104, 105, 202)
	u.show(Key{7, "Top"})
	said.want(t, "what was made of it is not known", 104, 105, 202)
	u.unload([]trace.LoaderID{9})
	said.want(t, "a loader is gone", 104, 105)
	u.load(bootLoader, constructs("java/util/Date", object, false))
	said.want(t, "a class of the JDK has changed", 104)
	u.unload([]trace.LoaderID{7})
	said.want(t, "all are gone")
}

// TestUnshownWithAgents: once code is loaded with which agents change classes nothing is known of any.
func TestUnshownWithAgents(t *testing.T) {
	said := bits{}
	u := unshownClasses{bits: said}
	u.load(7, constructs("Top", object, true))
	u.sites(7, constructs("Main", object, true, "Top"), 100)
	said.want(t, "before", 100)
	u.load(bootLoader, constructs(transformer, object, true))
	said.want(t, "with an agent")
	u.load(7, constructs("Next", object, true, "Top"))
	u.sites(7, constructs("Next", object, true, "Top", "Next"), 110)
	u.show(Key{7, "Next"})
	u.unload([]trace.LoaderID{7})
	said.want(t, "behind it")
}
