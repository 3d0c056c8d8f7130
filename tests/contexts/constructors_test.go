package contexts_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// checkedPrograms have constructors of all kinds. For types of their own the constructor rule differs from the counts
// as given here, and nowhere else.
var checkedPrograms = map[string]map[string]profile.ReasonCounts{
	"ConstructorRule": {
		"ConstructorRule$Parent":    {profile.SuperNotReached: -5},
		"ConstructorRule$Never":     {profile.NotConstructed: -5},
		"ConstructorRule$Copied":    {profile.WithoutConstructor: -10},
		"ConstructorRule$Reflected": {profile.WithoutConstructor: -5, profile.ConstructedFromOutside: 5},
		"ConstructorRule$Referred":  {profile.CountedWithoutContext: -10, profile.ConstructedFromOutside: 10},
	},
	"ThrowingConstructors": {"ThrowingConstructors$Base": {profile.SuperNotReached: -10}},
	"Constructors":         nil,
	"InnerClasses":         nil,
	"Initializers":         nil,
	"OldInnerClasses":      nil,
	"Recursion":            nil,
	"FourThreads":          {"FourThreads$$Lambda": {profile.WithoutConstructor: -4}},
	"NestedExceptions":     nil,
}

// TestConstructorRule runs programs with contexts for every constructor. The rule and the counters agree exactly on all
// that is not said to differ, and every difference has its reason, the JDK's own objects included.
func TestConstructorRule(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		t.Parallel()
		var some []string // in the long test all
		if !jvmtest.Long() {
			some = slices.Collect(maps.Keys(checkedPrograms))
		}
		programs, together := jvmtest.Together(t, jdk, some...)
		command, file := mallardtest.Profiled(t, together, "-q", "--track", "constructors")
		outputs := jvmtest.Divide(jdk.MustRun(t, command))
		p, check := checked(t, file)
		found := 0
		for _, program := range programs {
			if want, ok := checkedPrograms[program.Name]; ok {
				found++
				mallardtest.CompareOutput(t, jvmtest.RunPlain(t, jdk, program.Command(t, jdk)), outputs[program.Name])
				compareRule(t, program, want, check)
			}
		}
		if found != len(checkedPrograms) {
			t.Errorf("%d of %d programs share a JVM", found, len(checkedPrograms))
		}
		var rule, objects int64
		for _, c := range check.Types {
			rule += c.Rule
		}
		for _, site := range p.Sites {
			objects += site.Amount.Objects
		}
		for _, d := range check.Contexts {
			if d.Reasons[profile.Unexplained] != 0 {
				t.Errorf("%s: by the rule %d, counted %d, in %v", d.Type, d.Rule, d.Counted, titles(p, d.Context))
			}
		}
		if rule != check.Rule || check.Counted+check.Arrays != objects || rule < 5000 {
			t.Errorf("%d objects by the rule, %d and %d arrays counted; types have %d, sites %d", check.Rule,
				check.Counted, check.Arrays, rule, objects)
		}
		t.Logf("%d by the rule, %d counted, %d pairs compared, %d differ: %v", check.Rule, check.Counted,
			check.Compared, len(check.Contexts), check.Reasons)
	})
}

// compareRule compares where the rule differs for types of a program with what is said of them.
func compareRule(t *testing.T, program jvmtest.Program, want map[string]profile.ReasonCounts, check *profile.Check) {
	t.Helper()
	differ := map[string]profile.ReasonCounts{}
	for _, c := range check.Types {
		// What captures nothing is made once, where it is linked: by reflection or by a method handle. Its class has a
		// number on JDK 17.
		_, wanted := want[c.Type]
		linked := !wanted && strings.Contains(c.Type, "$$Lambda") &&
			c.Reasons == profile.ReasonCounts{profile.WithoutConstructor: c.Rule - c.Counted}
		if program.Declares(c.Type) && !c.Reasons.IsZero() && !linked {
			differ[c.Type] = c.Reasons
		}
	}
	if diff := cmp.Diff(want, differ); diff != "" && len(want)+len(differ) > 0 {
		t.Errorf("types of %s (-want +got):\n%s", program.Name, diff)
	}
}

// checked folds a recording, and checks it by the constructor rule.
func checked(t *testing.T, file string) (*profile.Profile, *profile.Check) {
	t.Helper()
	recording, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	p, check, err := profile.FoldChecked(recording)
	if err != nil {
		t.Fatal(err)
	}
	return p, check
}

// titles names the methods of a context, from the outside.
func titles(p *profile.Profile, context int32) (names []string) {
	for i := context; i >= 0; i = p.Contexts[i].Parent {
		names = append(names, p.Methods[p.Contexts[i].Method].Title())
	}
	slices.Reverse(names)
	return names
}
