package profile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile/profiletest"
)

// checked is the beginning of recordings of constructors: App.run makes Things and calls Object's constructor, whose
// calls counter 1 counts.
const checked = `
Process Track=["sites" "constructors"]
ClassDef Name="App" Counters=2
  MethodDef Name="run" Descriptor="()V" Number=1
    SiteDef BCI=1 Line=5 Type="Thing"
    SiteDef BCI=11 Line=6 Type="java/lang/Object"
    CounterDef Semantics=[0:1 1:1]
    CounterDef Counter=1
    ConstructorCall BCI=4 Class="Thing" Descriptor="(Z)V"
    ConstructorCall BCI=14 Class="java/lang/Object" Descriptor="()V" Counted=true Counter=1
Contexts Nodes=[1:0:1:-1:-1]
`

// thing is a class whose constructor calls this() or super(), as in figure 7 of the paper.
const thing = `
ClassDef ID=1 Name="Thing" SiteBase=2 CounterBase=2 Counters=1
  MethodDef Name="<init>" Descriptor="(Z)V" Number=2
    CounterDef
    ConstructorCall BCI=2 Class="Thing" Descriptor="()V" Chains=true
    ConstructorCall BCI=7 Class="java/lang/Object" Descriptor="()V" Chains=true Counted=true
ClassDef ID=2 Name="Thing" SiteBase=2 CounterBase=3 Counters=1
  MethodDef Name="<init>" Descriptor="()V" Number=3
    CounterDef
    ConstructorCall BCI=1 Class="java/lang/Object" Descriptor="()V" Chains=true Counted=true
`

// twoNews is a method that makes Things at two places, and ends in the call of the second one's constructor.
const twoNews = `
ClassDef ID=2 Name="Thing" SiteBase=2 CounterBase=3 Counters=1
  MethodDef Name="<init>" Descriptor="(IZ)V" Number=3
    CounterDef
ClassDef ID=3 Name="Direct" SiteBase=2 CounterBase=4 Counters=1
  MethodDef Name="run" Descriptor="()V" Number=4
    SiteDef BCI=1 Type="Thing"
    SiteDef BCI=21 Type="Thing"
    CounterDef Semantics=[0:1 1:1]
    ConstructorCall BCI=9 Class="Thing" Descriptor="(IZ)V" Behind=8
    ConstructorCall BCI=29 Class="Thing" Descriptor="(IZ)V"`

func TestCheck(t *testing.T) {
	tests := []struct {
		name, text string
		want       map[string]ReasonCounts // by type, zero ones too
	}{
		{"the figures agree", thing + `
Contexts Nodes=[2:1:2:4:5 3:2:3:2:-1]
ContextCounts Thread=1 Full=true Values=[1:0:3 1:1:3 3:3:3] Invocations=[1:1 2:3 3:3]
`, map[string]ReasonCounts{"Thing": {}, "java.lang.Object": {}}},
		{"one of two this() or super() calls", thing + `
Contexts Nodes=[2:1:2:4:5 3:2:3:2:-1]
ContextCounts Thread=1 Full=true Values=[1:0:3 1:1:3 2:2:1 3:3:2] Invocations=[1:1 2:3 3:2]
`, map[string]ReasonCounts{"Thing": {OtherConstructor: -1}, "java.lang.Object": {OtherConstructor: 1}}},
		{"a constructor that threw", thing + `
Contexts Nodes=[2:1:2:4:5 3:2:3:2:-1]
ContextCounts Thread=1 Full=true Values=[1:0:3 1:1:3 3:3:1] Invocations=[1:1 2:3 3:3]
`, map[string]ReasonCounts{"Thing": {}, "java.lang.Object": {SuperNotReached: -2}}},
		{"a constructor that was not entered", thing + `
Contexts Nodes=[2:1:2:4:5 3:2:3:2:-1]
ContextCounts Thread=1 Full=true Values=[1:0:3 1:1:2 3:3:1] Invocations=[1:1 2:1 3:1]
`, map[string]ReasonCounts{"Thing": {NotConstructed: -2}, "java.lang.Object": {NotConstructed: -1}}},
		{"counted too often: nothing comes between new and the constructor", thing + `
ClassDef ID=3 Name="Direct" SiteBase=2 CounterBase=4 Counters=1
  MethodDef Name="run" Descriptor="()V" Number=4
    SiteDef BCI=1 Type="Thing"
    CounterDef Semantics=[0:1]
    ConstructorCall BCI=5 Class="Thing" Descriptor="()V" Behind=4
Contexts Nodes=[2:0:4:-1:-1 3:2:3:5:-1]
ContextCounts Thread=1 Full=true Values=[2:4:5 3:3:2] Invocations=[2:1 3:2]
`, map[string]ReasonCounts{"Thing": {Unexplained: -3}, "java.lang.Object": {}}},
		{"counted too often: what is between takes arguments that are there", twoNews + ` Behind=8
Contexts Nodes=[2:0:4:-1:-1 3:2:3:9:-1]
ContextCounts Thread=1 Full=true Values=[2:4:5] Invocations=[2:1 3:7]
`, map[string]ReasonCounts{"Thing": {Unexplained: -3}}},
		{"one of two may not be constructed", twoNews + `
Contexts Nodes=[2:0:4:-1:-1 3:2:3:9:-1]
ContextCounts Thread=1 Full=true Values=[2:4:5] Invocations=[2:1 3:7]
`, map[string]ReasonCounts{"Thing": {NotConstructed: -3}}},
		{"constructors without contexts", `
ContextCounts Thread=1 Full=true Values=[1:0:3 1:1:3] Invocations=[1:1]
`, map[string]ReasonCounts{"Thing": {UnseenConstructor: -3}, "java.lang.Object": {}}},
		{"no memory", thing + `
Loss Kind="contexts"
Snapshot Thread=1 Full=true Values=[0:1]
ContextCounts Thread=1 Full=true Values=[1:0:3 1:1:3] Invocations=[1:1]
`, map[string]ReasonCounts{"Thing": {NoMemory: -4}, "java.lang.Object": {NoMemory: -1}}},
		{"the JVM constructs, and a native method does, and one that counts without contexts", thing + `
MethodName Number=4 Class="Native" Name="run" Descriptor="()V" Native=true
MethodName Number=5 Class="Left" Name="run" Descriptor="()V"
Contexts Nodes=[2:1:3:8:5 3:1:4:9:6 4:3:3:-1:-1 5:0:5:-1:-1 6:5:3:0:0 7:0:3:-1:-1]
ContextCounts Thread=1 Full=true Values=[2:3:1 4:3:1 6:3:1 7:3:1] Invocations=[2:1 4:1 6:1 7:1]
`, map[string]ReasonCounts{"Thing": {ConstructedFromOutside: 3, CallerWithoutContext: 1}, "java.lang.Object": {}}},
		{"counted without contexts", `
ClassDef ID=1 Name="Left" SiteBase=2 CounterBase=2 Counters=2
  MethodDef Name="run" Descriptor="()V"
    SiteDef BCI=1 Type="Thing"
    SiteDef BCI=5 Type="[I" Kind=ArrayConst Length=1
    SiteDef BCI=9 Type="Copy" Kind=Called
    CounterDef Semantics=[0:1 1:2 2:1]
Snapshot Thread=1 Full=true Values=[2:4]
`, map[string]ReasonCounts{"Thing": {CountedWithoutContext: -4}, "Copy": {WithoutConstructor: -4}}},
		{"one object too many", thing + `
Contexts Nodes=[2:1:2:4:5 3:2:3:2:-1]
ContextCounts Thread=1 Full=true Values=[1:0:3 1:1:4 3:3:4] Invocations=[1:1 2:4 3:4]
`, map[string]ReasonCounts{"Thing": {Unexplained: 1}, "java.lang.Object": {Unexplained: 1}}},
		{"callers count", thing + `
ClassDef ID=3 Name="Helper" SiteBase=2 CounterBase=4
  MethodDef Name="make" Descriptor="()LThing;" Number=6
    ConstructorCall BCI=4 Class="Thing" Descriptor="()V"
Contexts Nodes=[2:0:6:-1:-1 3:2:3:4:-1]
ContextCounts Thread=1 Full=true Values=[3:3:7] Invocations=[2:7 3:7]
`, map[string]ReasonCounts{"Thing": {CountedByCaller: 7}, "java.lang.Object": {}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recording := profiletest.MustEncode(t, checked+test.text)
			p, check, err := FoldChecked(strings.NewReader(string(recording)))
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]ReasonCounts{}
			for _, c := range check.Types {
				got[c.Type] = c.Reasons
				if sum := c.Rule - c.Counted; sum != c.Reasons.sum() {
					t.Errorf("%s: by the rule %d, counted %d, and reasons for %d", c.Type, c.Rule, c.Counted,
						c.Reasons.sum())
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if check.Counted+check.Arrays != p.Total.Objects {
				t.Errorf("%d objects and %d arrays, not %d", check.Counted, check.Arrays, p.Total.Objects)
			}
		})
	}
}

func (c *ReasonCounts) sum() (n int64) {
	for _, v := range c {
		n += v
	}
	return n
}
