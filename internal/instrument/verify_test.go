package instrument

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
	"mallard/internal/jvmtest"
	"mallard/internal/placement"
)

// archivesFor returns the image of a JDK and all jars of the machine.
func archivesFor(t *testing.T, jdk jvmtest.JDK) (archives []corpus.Archive, jars []string) {
	t.Helper()
	for _, a := range corpus.JDKs() {
		if strings.HasPrefix(a.Path, jdk.Home) {
			archives = append(archives, a)
		}
	}
	if len(archives) == 0 {
		t.Fatalf("%s has no module image, lib/modules", jdk.Home)
	}
	for _, a := range corpus.Jars() {
		archives = append(archives, a)
		jars = append(jars, a.Path)
	}
	return archives, jars
}

// variants are the ways to instrument that have code of their own.
var variants = []Options{{Placement: placement.Site}, {Placement: placement.DuckTracks}, {Placement: placement.Optimal},
	{Placement: placement.Optimal, Contexts: Tree}, {Placement: placement.Optimal,
		Contexts: Hashed}, {Placement: placement.Optimal, Contexts: Encoded},
	{Placement: placement.Optimal, Contexts: Tree, Constructors: true}}

// portable is what stands in jars that record themselves, and tagged what objects know their sites in.
var (
	portable = Options{Placement: placement.Optimal, Contexts: Tree, Portable: "mallard/portable/"}
	tagged   = []Options{{Placement: placement.Optimal, Tags: true},
		{Placement: placement.Optimal, Contexts: Hashed, Tags: true}}
)

// named has methods and their loops be transactions by themselves, named in all ways there are.
var named = Options{Placement: placement.Optimal, Contexts: Hashed, Transactions: byTurns}

func byTurns(c *classfile.Class, m *classfile.Member) *Naming {
	name, _ := c.Pool.Utf8(m.Name)
	descriptor, _ := c.Pool.Utf8(m.Descriptor)
	parameters, _, err := classfile.SplitMethodDescriptor(descriptor)
	const static = classfile.AccStatic
	switch turn := (len(name) + len(descriptor)) % 4; {
	case err != nil || strings.HasPrefix(name, "<") || turn == 0:
		return nil
	case turn == 1:
		return &Naming{Name: name}
	case turn == 2 && len(parameters) > 0 && m.AccessFlags&static != 0 && parameters[0] != "F" && parameters[0] != "D":
		return &Naming{Type: parameters[0], Calls: []string{"toString"}}
	}
	return &Naming{Name: name, Loops: true}
}

// watched tells what it reads.
var watched = []Options{{Placement: placement.Optimal, Watched: true},
	{Placement: placement.Optimal, Contexts: Hashed, Tags: true, Watched: true},
	{Placement: placement.Optimal, Contexts: Tree, Watched: true},
	{Placement: placement.Optimal, Contexts: Encoded, Watched: true}}

// verified are all of those.
var verified = slices.Concat(variants, []Options{portable, named}, tagged, watched)

func variantName(o Options) string {
	name := o.Placement.String() + [...]string{NoContexts: "", Tree: ", tree", Hashed: ", hashed",
		Encoded: ", encoded"}[o.Contexts]
	if o.Constructors {
		name += ", constructors"
	}
	if o.Portable != "" {
		name += ", portable"
	}
	if o.Transactions != nil {
		name += ", transactions"
	}
	if o.Watched {
		name += ", watched"
	}
	switch {
	case len(o.Untagged) > 0:
		name += ", tags but for even sites"
	case o.Tags:
		name += ", tags"
	}
	return name
}

// A round rewrites some classes of the corpus with a variant each, and leaves the others as they are.
type round struct {
	name    string
	variant func(c *corpusClass) (o Options, take bool)
}

// rounds are one per variant with all classes, or a single one with a fortieth of the classes for each, others on each
// of so many JDKs, of which this one has a number.
func rounds(jdk, jdks int) []round {
	// which runs, but has no such runtime
	takes := func(o Options, c *corpusClass) bool { return o.Portable == "" || c.module != "java.base" }
	if !long {
		const parts = 16 // more than there are variants: some classes stay as they are
		return []round{{"sample", func(c *corpusClass) (Options, bool) {
			n := int(corpus.Part(c.name, uint32(max(jdks, 4)*parts)))
			o := verified[n%parts%len(verified)]
			return o, n/parts == jdk && n%parts < len(verified) && takes(o, c)
		}}}
	}
	var all []round
	for _, o := range verified {
		all = append(all, round{variantName(o), func(c *corpusClass) (Options, bool) { return o, takes(o, c) }})
	}
	return all
}

// TestVerification has each JDK verify its own rewritten classes and those of all jars. Whatever it refuses it must
// refuse as well, and for the same reason, when the class is as it was: many jars refer to classes that are nowhere.
func TestVerification(t *testing.T) {
	jdks := jvmtest.JDKs(t)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		archives, jars := archivesFor(t, jdk)
		number := slices.IndexFunc(jdks, func(j jvmtest.JDK) bool { return j.Home == jdk.Home })
		for _, r := range rounds(number, len(jdks)) {
			t.Run(r.name, func(t *testing.T) {
				rewritten := jvmtest.NewClassSet(t)
				addRuntime(t, jdk, rewritten)
				changed := 0
				eachOf(t, archives, r, func(c *corpusClass, o Options) {
					result, err := Rewrite(c.bytes, o)
					if err != nil {
						t.Errorf("%s: %v", c, err)
						return
					}
					if result.Bytes != nil {
						changed++
					}
					c.addTo(rewritten, result.Bytes)
				})
				after := rewritten.Link(t, jdk, jars...)
				original := jvmtest.NewClassSet(t)
				eachOf(t, archivesOf(archives, after), r, func(c *corpusClass, _ Options) {
					if _, refused := after[c.linkedName()]; refused {
						c.addTo(original, nil)
					}
				})
				before := original.Link(t, jdk, jars...)
				reasons := map[string]int{}
				for _, class := range slices.Sorted(maps.Keys(after)) {
					reasons[failure(after[class])]++
					if failure(before[class]) != failure(after[class]) {
						t.Errorf("%s: %s\nas it was: %q", class, after[class], before[class])
					}
				}
				t.Logf("%d classes, %d of them changed, %d verified; the others as they were before: %v",
					rewritten.Len(), changed, rewritten.Len()-len(after), reasons)
				if len(after) > rewritten.Len()/20 {
					t.Errorf("%d classes are not verified even when they are as they were", len(after))
				}
			})
		}
	})
}

// archivesOf leaves out the jars that have none of the classes that were refused.
func archivesOf(archives []corpus.Archive, refused map[string]string) (some []corpus.Archive) {
	jars := map[string]bool{}
	for class := range refused {
		jar, _, _ := strings.Cut(class, "/")
		jars[jar] = true
	}
	for _, a := range archives {
		if name := filepath.Base(a.Path); jars[name] || !strings.HasSuffix(name, ".jar") {
			some = append(some, a)
		}
	}
	return some
}

// eachOf calls do with each class of archives that a round takes, once.
func eachOf(t *testing.T, archives []corpus.Archive, r round, do func(c *corpusClass, o Options)) {
	t.Helper()
	seen := distinct{}
	for _, archive := range archives {
		take := func(c *corpusClass) bool {
			_, take := r.variant(c)
			return take
		}
		eachClass(t, archive, take, func(c *corpusClass) {
			if o, take := r.variant(c); take && seen.add(c.bytes) {
				do(c, o)
			}
		})
	}
}

// failure is the part of a failure that does not depend on offsets, nor on which of several methods is verified or
// linked first.
func failure(s string) string {
	kind, _, _ := strings.Cut(s, ":")
	if kind != "java.lang.VerifyError" {
		return kind
	}
	s, _, _ = strings.Cut(s, "|") // the verifier's listing
	return offsets.ReplaceAllString(s, "N")
}

var offsets = regexp.MustCompile(`\b[0-9]+\b`)

// TestVerificationNotices breaks rewritten classes and expects the JVM to refuse each: TestVerification would fail if
// Rewrite did this.
func TestVerificationNotices(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		archives, jars := archivesFor(t, jdk)
		set := jvmtest.NewClassSet(t)
		addRuntime(t, jdk, set)
		broken := map[string]bool{}
		for _, archive := range archives {
			inJar := strings.Contains(archive.Name, "asm-9")
			take := func(c *corpusClass) bool { return inJar || c.module == "jdk.compiler" && len(broken) <= 200 }
			eachClass(t, archive, take, func(c *corpusClass) {
				result, err := Rewrite(c.bytes, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if b := breakCall(result); b != nil {
					broken[strings.ReplaceAll(fmt.Sprint(c), "/", ".")] = true
					c.addTo(set, b)
				}
			})
		}
		refused := set.Link(t, jdk, jars...)
		for class, reason := range refused {
			if !strings.Contains(reason, "VerifyError") {
				t.Errorf("%s: %s", class, reason)
			}
		}
		if len(refused) != len(broken) || len(broken) < 100 {
			t.Errorf("%d classes were broken, %d refused", len(broken), len(refused))
		}
	})
}

// breakCall gives a class whose first counter number is a float, while the runtime class takes an int; nil if it has
// no counter.
func breakCall(r *Result) []byte {
	const tagFloat = 4 // JVMS table 4.4-A
	if len(r.patches.Counters) == 0 {
		return nil
	}
	r.Bytes[r.patches.Counters[0]-1] = tagFloat
	return r.Bytes
}
