package waste

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// builder makes a profile.
type builder struct {
	p     profile.Profile
	cells []profile.Cell
}

// made is what one site makes in one context: frames are "class.method(parameters) bci line" from the outermost on.
type made struct {
	stack    []string
	class    string
	elements int64 // of 100 arrays
	looped   bool
	passed   int32
	copied   bool
}

// method gives the number of a method, of a new one if there was none.
func (b *builder) method(frame string) (number, bci, line int32) {
	var name string
	if _, err := fmt.Sscan(frame, &name, &bci, &line); err != nil {
		panic(fmt.Sprintf("%q: %v", frame, err))
	}
	end := strings.LastIndexByte(name, '(')
	name, parameters := name[:end], name[end+1:]
	dot := strings.LastIndexByte(name, '.')
	m := symbols.Method{Class: name[:dot], Name: name[dot+1:], Descriptor: "(" + parameters + "V"}
	at := slices.Index(b.p.Methods, m)
	if at < 0 {
		at = len(b.p.Methods)
		b.p.Methods = append(b.p.Methods, m)
	}
	return int32(at), bci, line
}

func (b *builder) add(m made) {
	context, bci, line := int32(-1), int32(-1), int32(-1)
	var method int32
	for _, frame := range m.stack {
		var called profile.Context
		var nextBCI, nextLine int32
		method, nextBCI, nextLine = b.method(frame)
		called = profile.Context{Parent: context, Method: method, BCI: bci, Line: line}
		bci, line = nextBCI, nextLine
		at := slices.Index(b.p.Contexts, called)
		if at < 0 {
			at = len(b.p.Contexts)
			b.p.Contexts = append(b.p.Contexts, called)
		}
		context = int32(at)
	}
	in := b.p.Methods[method]
	site := profile.Site{Class: in.Class, Method: in.Name, Descriptor: in.Descriptor, BCI: bci, Line: line,
		Type: m.class, Array: strings.HasSuffix(m.class, "[]"), Looped: m.looped, PassedTo: m.passed, Copied: m.copied}
	at := slices.Index(b.p.Sites, site)
	if at < 0 {
		at = len(b.p.Sites)
		b.p.Sites = append(b.p.Sites, site)
	}
	b.cells = append(b.cells, profile.Cell{Site: int32(at), Context: context,
		Amount: profile.Amount{Objects: 100, Elements: m.elements, Bytes: 1600}})
}

func profileOf(tracked bool, all ...made) *profile.Profile {
	b := builder{p: profile.Profile{Tracked: tracked}}
	for _, m := range all {
		b.add(m)
	}
	b.p.Threads = []profile.Thread{{Name: "main", Cells: b.cells}}
	return &b.p
}

// shown is each place of an answer as "kind: what at class.method:line".
func shown(a *Answer) (list []string) {
	for _, row := range a.Rows {
		for _, place := range row.Places {
			list = append(list, fmt.Sprintf("%s: %s at %s.%s:%d x%d", row.Kind, place.What, place.Line.Class,
				place.Line.Method, place.Line.Line, place.Amount.Objects))
		}
	}
	slices.Sort(list)
	return list
}

const main = "app.Main.main() 7 70"

func in(frames ...string) []string { return append([]string{main}, frames...) }

func TestClassify(t *testing.T) {
	const puts, merges = "java.util.HashMap.putVal() 270 9", "java.util.HashMap.merge() 62 9"
	const resizes = "java.util.HashMap.resize() 1 2"
	arrayCopy := "java.util.Arrays.copyOf([BI) 1 2"
	for name, test := range map[string]struct {
		made []made
		want []string
	}{
		"no waste": {[]made{{stack: in(), class: "app.Point"}, {stack: in("java.util.HashMap.newNode() 0 9"),
			class: "java.util.HashMap$Node"}}, nil},
		"box": {[]made{{stack: in("java.lang.Integer.valueOf(I) 3 9"), class: "java.lang.Integer"}},
			[]string{"boxing: java.lang.Integer at app.Main.main:70 x100"}},
		"box by new": {[]made{{stack: in(), class: "java.lang.Long"}},
			[]string{"boxing: java.lang.Long at app.Main.main:70 x100"}},
		"box of a cache": {[]made{{stack: in("java.lang.Long$LongCache.<clinit>() 3 9"),
			class: "java.lang.Long"}}, nil},
		"box in the JDK": {[]made{{stack: []string{"java.lang.Thread.run() 1 2", "java.lang.Long.valueOf(J) 3 9"},
			class: "java.lang.Long"}}, []string{"boxing: java.lang.Long at java.lang.Long.valueOf:9 x100"}},
		"what the JVM makes": {[]made{{stack: []string{"(JVM).initLocks() 1 2"}, class: "int[]"}}, nil},
		"lambda": {[]made{{stack: in(), class: "app.Main$$Lambda"}},
			[]string{"lambdas: app.Main$$Lambda at app.Main.main:70 x100"}},
		"linked lambda": {[]made{{stack: in("java.lang.invoke.X.y() 1 2"), class: "app.Main$$Lambda"}}, nil},
		"iterators": {[]made{{stack: in("java.util.ArrayList.iterator() 1 2"), class: "java.util.ArrayList$Itr"},
			{stack: in("java.util.Set.iterator() 1 2"), class: "java.util.Set$1"},
			{stack: in("app.Range.iterator() 1 2"), class: "app.Range$1"}},
			[]string{"iterators: app.Range$1 at app.Main.main:70 x100",
				"iterators: java.util.ArrayList$Itr at app.Main.main:70 x100",
				"iterators: java.util.Set$1 at app.Main.main:70 x100"}},
		"enum values": {[]made{{stack: in("app.E.values() 1 2"), class: "app.E[]", elements: 200, copied: true}},
			[]string{"enum values: app.E at app.Main.main:70 x100"}},
		"values that is no enum's": {[]made{{stack: in("app.E.values() 1 2"), class: "app.E[]", elements: 200}}, nil},
		"empty array": {[]made{{stack: in(), class: "int[]", passed: 20}},
			[]string{"empty arrays: int[] at app.Main.main:70 x100"}},
		"some elements": {[]made{{stack: in(), class: "int[]", elements: 1}}, nil},
		"builder that grows": {[]made{{stack: in("java.lang.AbstractStringBuilder.ensureCapacityInternal(I) 3 4",
			arrayCopy), class: "byte[]", elements: 100}},
			[]string{"growth: java.lang.StringBuilder at app.Main.main:70 x100"}},
		"first and next array of a list": {[]made{
			{stack: in("java.util.ArrayList.grow(I) 52 9"), class: "java.lang.Object[]", elements: 1000},
			{stack: in("java.util.ArrayList.grow(I) 37 8"), class: "java.lang.Object[]", elements: 1500, copied: true}},
			[]string{"growth: java.util.ArrayList at app.Main.main:70 x100"}},
		"first and next table": {[]made{
			{stack: in(puts, resizes), class: "java.util.HashMap$Node[]", elements: 1600},
			{stack: in(merges, resizes), class: "java.util.HashMap$Node[]", elements: 3200, copied: true}},
			[]string{"growth: java.util.HashMap at app.Main.main:70 x100"}},
		"copies": {[]made{{stack: in(arrayCopy), class: "byte[]", elements: 5},
			{stack: in(), class: "long[]", elements: 5, copied: true},
			{stack: in("java.util.List.copyOf() 1 2", "java.util.ArrayList.toArray() 1 2"), class: "java.lang.Object[]",
				elements: 5, copied: true}},
			[]string{"copies: java.util.Arrays.copyOf at app.Main.main:70 x100",
				"copies: java.util.List.copyOf at app.Main.main:70 x100", "copies: long[] at app.Main.main:70 x100"}},
		"copied list, and one that is not": {[]made{
			{stack: []string{"app.Main.main() 4 60"}, class: "java.util.ArrayList"},
			{stack: []string{"app.Main.main() 12 70"}, class: "java.util.ArrayList"},
			{stack: []string{"app.Main.main() 18 70", "java.util.ArrayList.<init>(Ljava/util/Collection;) 4 5"},
				class: "java.lang.Object[]", elements: 3, copied: true}},
			[]string{"copies: java.util.ArrayList at app.Main.main:70 x200"}},
		"variable arguments": {[]made{{stack: in(), class: "java.lang.Object[]", elements: 3, passed: 20},
			{stack: []string{"app.Main.main() 20 70", "app.Log.info(Ljava/lang/String;[Ljava/lang/Object;) 1 2"},
				class: "app.Event"},
			{stack: []string{"app.Main.main() 10 70", "app.Log.name(I) 1 2"}, class: "app.Event"},
			{stack: []string{"app.Main.main() 30 70", "app.Log.more([I) 1 2"}, class: "app.Event"}},
			[]string{"varargs: app.Log.info at app.Main.main:70 x100"}},
		"variable arguments of what makes nothing": {[]made{{stack: in(), class: "java.lang.Object[]", elements: 3,
			passed: 20}}, []string{"varargs: java.lang.Object[] at app.Main.main:70 x100"}},
		"variable arguments in the JDK": {[]made{{stack: in("java.util.Formatter.x() 1 2"), class: "java.lang.Object[]",
			elements: 3, passed: 20}}, nil},
		"concatenation": {[]made{{stack: in(), class: "java.lang.String", looped: true},
			{stack: in(), class: "byte[]", elements: 9, looped: true}},
			[]string{"concatenation: java.lang.String at app.Main.main:70 x200"}},
		"concatenation in no loop": {[]made{{stack: in(), class: "java.lang.String"},
			{stack: in(), class: "byte[]", elements: 9}}, nil},
		"concatenation for Java 8": {[]made{
			{stack: in(), class: "java.lang.StringBuilder", looped: true, passed: 30},
			{stack: []string{"app.Main.main() 11 70", "java.lang.StringBuilder.<init>() 3 4",
				"java.lang.AbstractStringBuilder.<init>(I) 1 2"}, class: "byte[]", elements: 16},
			{stack: []string{"app.Main.main() 20 71", "java.lang.StringBuilder.append(I) 3 4"}, class: "app.Digits"},
			{stack: []string{"app.Main.main() 30 72", "java.lang.StringBuilder.toString() 3 4"},
				class: "java.lang.String"}},
			[]string{"concatenation: java.lang.String at app.Main.main:70 x200",
				"concatenation: java.lang.String at app.Main.main:72 x100"}},
		"builder that is kept, and one in no loop": {[]made{
			{stack: in(), class: "java.lang.StringBuilder", looped: true},
			{stack: []string{"app.Main.main() 11 70", "java.lang.StringBuilder.<init>() 3 4"}, class: "byte[]",
				elements: 1},
			{stack: []string{"app.Main.main() 30 72", "java.lang.StringBuilder.toString() 3 4"},
				class: "java.lang.String"},
			{stack: []string{"app.Main.main() 40 70"}, class: "java.lang.StringBuilder"}}, nil},
		"what is thrown in a loop without a stack": {[]made{{stack: in(), class: "app.Refused", looped: true,
			passed: 20}}, nil},
		"message of the JVM's exception": {[]made{{stack: in(), class: "java.lang.String", looped: true},
			{stack: in(), class: "byte[]", elements: 9, looped: true},
			{stack: in(), class: "java.lang.ArithmeticException", looped: true}},
			[]string{"exceptions: java.lang.ArithmeticException at app.Main.main:70 x100"}},
		"exception of the program's": {[]made{{stack: in(), class: "app.Refused"},
			{stack: in("app.Refused.<init>() 1 2", "java.lang.Exception.<init>() 1 2",
				"java.lang.Throwable.<init>() 1 2", "java.lang.Throwable.fillInStackTrace() 1 2",
				"java.lang.Throwable.fillInStackTrace(I) 1 2"),
				class: "int[]", elements: 32}},
			[]string{"exceptions: app.Refused at app.Main.main:70 x200"}},
		"exception in a constructor": {[]made{{stack: in("app.Box.<init>() 3 9"), class: "java.lang.Error"},
			{stack: in("app.Box.<init>() 5 9", "java.lang.Error.<init>() 1 2", "java.lang.Throwable.<init>() 1 2",
				"java.lang.Throwable.fillInStackTrace() 1 2"), class: "int[]", elements: 32}},
			[]string{"exceptions: java.lang.Error at app.Box.<init>:9 x200"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, shown(Ask(profileOf(true, test.made...), Query{}))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestWithoutContexts: what the JDK makes is named by what it is.
func TestWithoutContexts(t *testing.T) {
	p := profileOf(false,
		made{stack: []string{"java.lang.Integer.valueOf(I) 3 9"}, class: "java.lang.Integer"},
		made{stack: []string{"java.util.Arrays.copyOf([BI) 3 9"}, class: "byte[]", elements: 5},
		made{stack: []string{"java.util.HashMap.resize() 3 9"}, class: "java.util.HashMap$Node[]", elements: 5},
		made{stack: []string{"java.util.ArrayList.grow(I) 3 9"}, class: "java.lang.Object[]", elements: 5,
			copied: true},
		made{stack: []string{"java.lang.Throwable.fillInStackTrace() 3 9"}, class: "int[]", elements: 32},
		made{stack: in(), class: "java.lang.Object[]", elements: 5, passed: 20},
		made{stack: in(), class: "app.Refused", passed: 20},
		made{stack: []string{"app.Main.main() 40 80"}, class: "app.Refused"})
	want := []string{
		"boxing: java.lang.Integer at java.lang.Integer.valueOf:9 x100",
		"copies: java.util.Arrays.copyOf at java.util.Arrays.copyOf:9 x100",
		"exceptions: app.Refused at app.Main.main:70 x100",
		"exceptions: app.Refused at app.Main.main:80 x100",
		"exceptions: stacks of exceptions at java.lang.Throwable.fillInStackTrace:9 x100",
		"growth: java.util.ArrayList at java.util.ArrayList.grow:9 x100",
		"varargs: java.lang.Object[] at app.Main.main:70 x100",
	}
	if diff := cmp.Diff(want, shown(Ask(p, Query{}))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestMine: lines of the user's own, and only what these led to; sums are those of all places.
func TestMine(t *testing.T) {
	p := profileOf(true,
		made{stack: in("lib.Lists.sum() 1 20", "java.util.ArrayList.iterator() 1 2"), class: "java.util.ArrayList$Itr"},
		made{stack: in("lib.Lists.sum() 1 21", "java.util.ArrayList.iterator() 1 2"), class: "java.util.ArrayList$Itr"},
		made{stack: in(), class: "app.Point"},
		made{stack: []string{"lib.Pool.run() 1 2"}, class: "java.lang.Long"})
	a := Ask(p, Query{Mine: &profile.Mine{Patterns: "app.*"}, Top: 1})
	want := []string{"iterators: java.util.ArrayList$Itr at app.Main.main:70 x200"}
	if diff := cmp.Diff(want, shown(a)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if a.Amount.Objects != 200 || a.Others.Objects != 100 || a.Selected.Objects != 400 {
		t.Errorf("waste %d, others %d, selected %d", a.Amount.Objects, a.Others.Objects, a.Selected.Objects)
	}
	a = Ask(p, Query{Top: 1})
	if a.Rows[0].Count != 2 || len(a.Rows[0].Places) != 1 || a.Rows[0].Amount.Objects != 200 {
		t.Errorf("%d places of %d: %d objects", len(a.Rows[0].Places), a.Rows[0].Count, a.Rows[0].Amount.Objects)
	}
}

// TestFewExceptions: an exception now and then is no way to return.
func TestFewExceptions(t *testing.T) {
	p := profileOf(true, made{stack: in(), class: "java.io.IOException"})
	p.Threads[0].Cells[0].Amount.Objects = manyThrown - 1
	if got := shown(Ask(p, Query{})); got != nil {
		t.Errorf("%v", got)
	}
}
