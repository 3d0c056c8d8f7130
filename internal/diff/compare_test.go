package diff

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// A site that a program has: how many objects it makes in each recording.
type madeSite struct {
	class, method, allocated string
	line                     int
	objects                  []int64
}

// recordings makes recordings of a program that has these sites, each of which counts for itself.
func recordings(t *testing.T, sites ...madeSite) (list []*profile.Profile) {
	t.Helper()
	for i := range sites[0].objects {
		var b, values strings.Builder
		b.WriteString(`Process JVMVersion="17" Command=["java" "demo.Main"] ArrayBase=[16 16 16 16] RefBytes=4 ` +
			"ObjectAlignment=8\nThread ID=1 Name=\"main\"\n")
		sized := map[string]bool{}
		for n, s := range sites {
			if !sized[s.allocated] {
				fmt.Fprintf(&b, "ClassSize Name=%q Bytes=16\n", s.allocated)
				sized[s.allocated] = true
			}
			if n == 0 || sites[n-1].class != s.class {
				count := 0
				for k := n; k < len(sites) && sites[k].class == s.class; k++ {
					count++
				}
				fmt.Fprintf(&b, "ClassDef ID=%d Name=%q SiteBase=%d CounterBase=%d Counters=%d\n", n, s.class, n, n,
					count)
			}
			first := n
			for first > 0 && sites[first-1].class == s.class {
				first--
			}
			method := n
			for method > first && sites[method-1].method == s.method {
				method--
			}
			if method == n {
				fmt.Fprintf(&b, "  MethodDef Name=%q Descriptor=\"()V\"\n", s.method)
				last := n
				for last+1 < len(sites) && sites[last+1].class == s.class && sites[last+1].method == s.method {
					last++
				}
				for k := n; k <= last; k++ {
					fmt.Fprintf(&b, "    SiteDef BCI=%d Line=%d Type=%q\n", sites[k].line*3, sites[k].line,
						sites[k].allocated)
				}
				for k := n; k <= last; k++ {
					fmt.Fprintf(&b, "    CounterDef Counter=%d Semantics=[%d:1]\n", k-first, k-n)
				}
			}
			fmt.Fprintf(&values, " %d:%d", n, s.objects[i])
		}
		fmt.Fprintf(&b, "Snapshot Nanos=1000000000 Thread=1 Full=true Values=[%s]\nEnd Nanos=2000000000\n",
			strings.TrimSpace(values.String()))
		p, err := profile.Fold(bytes.NewReader(profiletest.MustEncode(t, b.String())))
		if err != nil {
			t.Fatalf("%v\n%s", err, &b)
		}
		list = append(list, p)
	}
	return list
}

// texts prints the rows of an answer, objects only.
func texts(a *Answer) (lines []string) {
	name := func(e *Entry) string {
		if e == nil {
			return "nothing"
		}
		s := e.Row().Site
		if s == nil {
			return e.Row().Class
		}
		return fmt.Sprintf("%s.%s:%d %s", s.Class, s.Method, s.Line, e.Row().Class)
	}
	for i := range a.Rows {
		r := &a.Rows[i]
		from, to := name(r.A), name(r.B)
		line := fmt.Sprintf("%.5g→%.5g %s", r.Objects.A, r.Objects.B, from)
		if from != to {
			line += " → " + to
		}
		if r.IsMoved != (from != to && r.A != nil && r.B != nil) {
			line += fmt.Sprint(" moved ", r.IsMoved)
		}
		lines = append(lines, line)
	}
	return lines
}

func one(objects int64) []int64 { return []int64{objects} }

// TestMatching: what is the same.
func TestMatching(t *testing.T) {
	for name, test := range map[string]struct {
		a, b []madeSite
		by   profile.By
		want []string
	}{
		"code shifted by lines": {
			a: []madeSite{{"demo/Main", "run", "demo/P", 10, one(100)}, {"demo/Main", "run", "demo/P", 11, one(20)},
				{"demo/Main", "run", "demo/P", 12, one(7)}},
			b: []madeSite{{"demo/Main", "run", "demo/P", 11, one(100)}, {"demo/Main", "run", "demo/P", 12, one(21)},
				{"demo/Main", "run", "demo/P", 13, one(7)}},
			want: []string{"20→21 demo.Main.run:11 demo.P → demo.Main.run:12 demo.P",
				"100→100 demo.Main.run:10 demo.P → demo.Main.run:11 demo.P",
				"7→7 demo.Main.run:12 demo.P → demo.Main.run:13 demo.P"},
		},
		"shifted, with a new site above": {
			a: []madeSite{{"demo/Main", "run", "demo/P", 10, one(1)}, {"demo/Main", "run", "demo/P", 11, one(1)}},
			b: []madeSite{{"demo/Main", "run", "demo/P", 11, one(9)}, {"demo/Main", "run", "demo/P", 15, one(1)},
				{"demo/Main", "run", "demo/P", 16, one(1)}},
			want: []string{"0→9 nothing → demo.Main.run:11 demo.P",
				"1→1 demo.Main.run:10 demo.P → demo.Main.run:15 demo.P",
				"1→1 demo.Main.run:11 demo.P → demo.Main.run:16 demo.P"},
		},
		"a new site in a method that grew": {
			a: []madeSite{{"demo/Main", "run", "demo/P", 10, one(100)}, {"demo/Main", "run", "demo/P", 50, one(5)}},
			b: []madeSite{{"demo/Main", "run", "demo/P", 10, one(1000)}, {"demo/Main", "run", "demo/P", 30, one(100)},
				{"demo/Main", "run", "demo/P", 50, one(5)}},
			want: []string{"100→1000 demo.Main.run:10 demo.P", "0→100 nothing → demo.Main.run:30 demo.P",
				"5→5 demo.Main.run:50 demo.P"},
		},
		"a lambda inserted before another": {
			a: []madeSite{{"demo/Main", "lambda$main$0", "demo/P", 10, one(100)}, {"demo/Main", "main", "demo/P", 9,
				one(1)}},
			b: []madeSite{{"demo/Main", "lambda$main$0", "demo/P", 9, one(30)},
				{"demo/Main", "lambda$main$1", "demo/P", 11, one(100)}, {"demo/Main", "main", "demo/P", 8, one(1)}},
			want: []string{"0→30 nothing → demo.Main.lambda$main$0:9 demo.P",
				"100→100 demo.Main.lambda$main$0:10 demo.P → demo.Main.lambda$main$1:11 demo.P",
				"1→1 demo.Main.main:9 demo.P → demo.Main.main:8 demo.P"},
		},
		"a method renamed": {
			a:    []madeSite{{"demo/Main", "old", "demo/P", 10, one(100)}},
			b:    []madeSite{{"demo/Main", "young", "demo/P", 10, one(100)}},
			want: []string{"0→100 nothing → demo.Main.young:10 demo.P", "100→0 demo.Main.old:10 demo.P → nothing"},
		},
		"a class that is new": {
			a:    []madeSite{{"demo/Main", "run", "demo/P", 10, one(100)}},
			b:    []madeSite{{"demo/Main", "run", "demo/P", 10, one(100)}, {"demo/Other", "run", "demo/P", 10, one(3)}},
			want: []string{"0→3 nothing → demo.Other.run:10 demo.P", "100→100 demo.Main.run:10 demo.P"},
		},
		"another input: the same code": {
			a: []madeSite{{"demo/Main", "run", "demo/P", 10, one(100)}, {"demo/Main", "run", "demo/P", 20, one(0)},
				{"demo/Main", "run", "demo/P", 30, one(2)}},
			b: []madeSite{{"demo/Main", "run", "demo/P", 10, one(0)}, {"demo/Main", "run", "demo/P", 20, one(100)},
				{"demo/Main", "run", "demo/P", 30, one(2)}},
			want: []string{"0→100 demo.Main.run:20 demo.P", "100→0 demo.Main.run:10 demo.P",
				"2→2 demo.Main.run:30 demo.P"},
		},
		"generated classes": {
			by: profile.ByClass,
			a: []madeSite{{"demo/Main", "run", "demo/Main$$Lambda$14/0x0000000800c03000", 10, one(100)},
				{"demo/Main", "run", "jdk/proxy2/$Proxy7", 11, one(5)},
				{"demo/Main", "run", "demo/Main$1", 12, one(50)}},
			b: []madeSite{{"demo/Main", "run", "demo/Main$$Lambda/0x0000000800c99000", 10, one(100)},
				{"demo/Main", "run", "jdk/proxy1/$Proxy12", 11, one(5)},
				{"demo/Main", "run", "demo/Main$1", 12, one(3)},
				{"demo/Main", "run", "demo/Main$2", 13, one(50)}},
			want: []string{"0→3 nothing → demo.Main$1", "100→100 demo.Main$$Lambda$14.0x0000000800c03000 → " +
				"demo.Main$$Lambda.0x0000000800c99000 moved false", "50→50 demo.Main$1 → demo.Main$2",
				"5→5 jdk.proxy2.$Proxy7 → jdk.proxy1.$Proxy12 moved false"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := Side{Recordings: recordings(t, test.a...)}, Side{Recordings: recordings(t, test.b...)}
			got := Compare(&a, &b, Query{Query: profile.Query{By: test.by}, All: true})
			if diff := cmp.Diff(test.want, texts(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestNoise: what several recordings of each side are sure of.
func TestNoise(t *testing.T) {
	a := recordings(t,
		madeSite{"demo/Main", "steady", "demo/P", 10, []int64{100, 100, 100}},
		madeSite{"demo/Main", "varies", "demo/P", 20, []int64{100, 130, 110}},
		madeSite{"demo/Main", "varies", "demo/P", 21, []int64{100, 110, 120}},
		madeSite{"demo/Main", "leaks", "demo/P", 30, []int64{100, 103, 101}},
		madeSite{"demo/Main", "once", "demo/P", 40, []int64{0, 0, 0}})
	b := recordings(t,
		madeSite{"demo/Main", "steady", "demo/P", 10, []int64{101, 101, 101}},
		madeSite{"demo/Main", "varies", "demo/P", 20, []int64{140, 135, 150}},
		madeSite{"demo/Main", "varies", "demo/P", 21, []int64{110, 120, 100}},
		madeSite{"demo/Main", "leaks", "demo/P", 30, []int64{200, 205, 201}},
		madeSite{"demo/Main", "once", "demo/P", 40, []int64{0, 400, 0}})
	both := Compare(&Side{Recordings: a}, &Side{Recordings: b}, Query{})
	want := []string{"101.33→202 demo.Main.leaks:30 demo.P", "100→101 demo.Main.steady:10 demo.P"}
	if diff := cmp.Diff(want, texts(both)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if both.Noise.Count != 2 || both.Same != 1 || both.Small.Count != 0 {
		t.Errorf("noise %+v, same %d, small %+v", both.Noise, both.Same, both.Small)
	}
	if v := both.Rows[0].Objects; v.SpreadA != 3 || v.SpreadB != 5 || v.Noise != 16 {
		t.Errorf("%+v", v)
	}
	// a share of the whole, and one recording of a side, whose spread is taken to be the other's
	least := Compare(&Side{Recordings: a[:1]}, &Side{Recordings: b}, Query{Min: 10})
	if diff := cmp.Diff([]string{"100→202 demo.Main.leaks:30 demo.P"}, texts(least)); diff != "" ||
		least.Small.Count != 1 {
		t.Errorf("small %+v, -want +got:\n%s", least.Small, diff)
	}
	// nothing is noise without a second recording; per unit
	single := Compare(&Side{Recordings: a[:1], Units: []float64{10}}, &Side{Recordings: b[1:2], Units: []float64{20}},
		Query{Query: profile.Query{Top: 2, Sort: profile.SortObjects}})
	want = []string{"0→20 demo.Main.once:40 demo.P", "10→5.05 demo.Main.steady:10 demo.P"}
	if diff := cmp.Diff(want, texts(single)); diff != "" || single.Count != 5 || single.Noise.Count != 0 {
		t.Errorf("%d rows, -want +got:\n%s", single.Count, diff)
	}
}

// TestSame: recordings of one side are of one program, where a line says which site is which.
func TestSame(t *testing.T) {
	two := recordings(t, madeSite{"demo/Main", "run", "demo/P", 10, []int64{1, 0}},
		madeSite{"demo/Main", "run", "demo/P", 11, []int64{0, 5}})
	got := texts(Compare(&Side{Recordings: two}, &Side{Recordings: two}, Query{All: true}))
	want := []string{"2.5→2.5 demo.Main.run:11 demo.P", "0.5→0.5 demo.Main.run:10 demo.P"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestContexts compares contexts, in which a call, or what calls, is at another line.
func TestContexts(t *testing.T) {
	fold := func(text string) Side {
		p, err := profile.Fold(bytes.NewReader(profiletest.MustEncode(t, text)))
		if err != nil {
			t.Fatal(err)
		}
		return Side{Recordings: []*profile.Profile{p}}
	}
	a := fold(profiletest.Contexts)
	moved := strings.NewReplacer("20:16:1:5:11", "20:16:1:5:15", "28:16:1:9:12", "28:16:1:9:16", "Line=10", "Line=14",
		"32:0:100", "32:0:103").Replace(profiletest.Contexts)
	b := fold(moved)
	got := Compare(&a, &b, Query{Query: profile.Query{By: profile.ByContext}, All: true})
	if len(got.Rows) != got.Same+1 || len(got.Rows) < 8 {
		t.Errorf("%d rows, %d of them the same", len(got.Rows), got.Same)
	}
	for i := range got.Rows {
		r := &got.Rows[i]
		if r.A == nil || r.B == nil {
			t.Errorf("%s", texts(got)[i])
		}
		stack := r.B.Profile.Stack(r.B.Row().Site, r.B.Row().Context)
		if through := stack[len(stack)-1].Method.Name == "main" && stack[len(stack)-1].Line >= 14; r.IsMoved &&
			!through && !strings.HasPrefix(stack[0].Method.Class, "demo.App") {
			t.Errorf("%s: moved", texts(got)[i])
		}
	}
	if r := got.Rows[0]; r.Objects.A != 100 || r.Objects.B != 103 || !r.IsMoved {
		t.Errorf("%+v", r)
	}
	same := Compare(&a, &a, Query{Query: profile.Query{By: profile.ByContext}})
	if len(same.Rows) != 0 || same.Same != len(got.Rows) {
		t.Errorf("%d rows, %d the same", len(same.Rows), same.Same)
	}
	for _, by := range []profile.By{profile.ByMethod, profile.ByThread, profile.ByElement, profile.ByTransaction,
		profile.ByCaller, profile.ByClass} {
		if same := Compare(&a, &a, Query{Query: profile.Query{By: by}}); len(same.Rows) != 0 || same.Same == 0 {
			t.Errorf("%v: %d rows, %d the same", by, len(same.Rows), same.Same)
		}
	}
}

// TestAlign: the least difference that any pairs in order have.
func TestAlign(t *testing.T) {
	difference := func(a, b []float64) func(i, j int) float64 {
		return func(i, j int) float64 { return max(a[i]-b[j], b[j]-a[i]) }
	}
	for _, test := range []struct {
		a, b []float64
		want [][2]int
	}{
		{nil, []float64{1}, nil},
		{[]float64{3}, []float64{1, 3, 5}, [][2]int{{0, 1}}},
		{[]float64{1, 5}, []float64{1, 3, 5}, [][2]int{{0, 0}, {1, 2}}},
		{[]float64{1, 3, 5, 9}, []float64{5, 9}, [][2]int{{2, 0}, {3, 1}}},
		{[]float64{1, 2}, []float64{7, 8}, [][2]int{{0, 0}, {1, 1}}},
		{[]float64{1, 1}, []float64{1, 1, 1}, [][2]int{{0, 0}, {1, 1}}},
	} {
		got := align(len(test.a), len(test.b), difference(test.a, test.b))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v, %v: -want +got:\n%s", test.a, test.b, diff)
		}
	}
}

func TestNames(t *testing.T) {
	n := newNames()
	for name, want := range map[string][2]string{
		"demo.Shop": {"demo.Shop", "demo.Shop"},
		"demo.Shop$$Lambda$14/0x0000000800c03000": {"demo.Shop$$Lambda", "demo.Shop$$Lambda"},
		"demo.Shop$$Lambda":                       {"demo.Shop$$Lambda", "demo.Shop$$Lambda"},
		"jdk.proxy2.$Proxy12":                     {"jdk.proxy#.$Proxy#", "jdk.proxy#.$Proxy#"},
		"com.sun.proxy.$Proxy3":                   {"com.sun.proxy.$Proxy#", "com.sun.proxy.$Proxy#"},
		"jdk.internal.reflect.GeneratedMethodAccessor7": {"jdk.internal.reflect.GeneratedMethodAccessor#",
			"jdk.internal.reflect.GeneratedMethodAccessor#"},
		"java.lang.invoke.LambdaForm$DMH/0x00007f0012": {"java.lang.invoke.LambdaForm$DMH",
			"java.lang.invoke.LambdaForm$DMH"},
		"demo.Shop$$EnhancerByCGLIB$$1a2b3c4d": {"demo.Shop$$EnhancerByCGLIB$$#", "demo.Shop$$EnhancerByCGLIB$$#"},
		"lambda$order$12()V":                   {"lambda$order$12()V", "lambda$order$#()V"},
		"demo.Shop$1$Item2[]":                  {"demo.Shop$1$Item2[]", "demo.Shop$#$Item2[]"},
		"sun.nio.cs.UTF_8":                     {"sun.nio.cs.UTF_8", "sun.nio.cs.UTF_8"},
	} {
		if got := [2]string{n.stableName(name), n.plainName(name)}; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for class, want := range map[string]string{"demo.Shop$1$Item": "demo.Shop", "Shop": "Shop",
		"a.$Proxy1": "a.$Proxy1", "Shop$1[]": "Shop"} {
		if got := outermost(class); got != want {
			t.Errorf("%s: %s, want %s", class, got, want)
		}
	}
}
