package export

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
	"mallard/internal/symbols"
)

func TestCollapsedContexts(t *testing.T) {
	var out strings.Builder
	if _, _, err := (Collapsed{}).Write(&out, fold(t, profiletest.Contexts)); err != nil {
		t.Fatal(err)
	}
	want := `[unknown];java/util/HashMap.hash;java.util.HashMap$Node_[i] 7
demo/App.main;int[]_[i] 1
demo/App.main;demo/App.walk;demo.Point_[i] 1
demo/App.main;demo/App.walk;demo/App.walk;demo.Point_[i] 2
demo/App.main;demo/App.walk;demo/App.walk;demo/App.walk;byte[]_[i] 2
demo/App.main;demo/App.walk;demo/App.walk;demo/App.walk;demo.Point_[i] 3
demo/App.main;java/util/HashMap.put;java/util/HashMap.newNode;java.util.HashMap$Node_[i] 104
java/lang/Thread.run;demo/App.run;jdk/internal/reflect/NativeMethodAccessorImpl.invoke0;` +
		`java/util/HashMap.put;java/util/HashMap.newNode;java.util.HashMap$Node_[i] 50
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPprofContexts(t *testing.T) {
	p := exported(t, fold(t, profiletest.Contexts), profile.Filter{Class: "java.util.HashMap$Node"})
	got := sampled(p, func(s *pprof.Sample) string {
		line := s.Label["thread"][0] + " " + s.Label["class"][0]
		for _, l := range s.Location {
			line += fmt.Sprintf(" %s:%d", l.Line[0].Function.Name, l.Line[0].Line)
		}
		return line
	})
	node := "java.util.HashMap$Node java.util.HashMap.newNode:1797 java.util.HashMap.put:613 "
	want := []string{
		"main java.util.HashMap$Node java.util.HashMap.hash:338 [unknown]:0 7",
		"main " + node + "demo.App.main:11 4",
		"main " + node + "demo.App.main:12 100",
		"worker-1 " + node + "jdk.internal.reflect.NativeMethodAccessorImpl.invoke0:0 demo.App.run:21 " +
			"java.lang.Thread.run:840 20",
		"worker-2 " + node + "jdk.internal.reflect.NativeMethodAccessorImpl.invoke0:0 demo.App.run:21 " +
			"java.lang.Thread.run:840 30",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestStacksAsText(t *testing.T) {
	app := symbols.Method{Class: "demo.App", Name: "run", Source: "App.java"}
	for _, test := range []struct {
		frame symbols.Frame
		want  string
	}{
		{symbols.Frame{Method: &app, Line: 7}, "demo.App.run(App.java:7)"},
		{symbols.Frame{Method: &app, Line: -1}, "demo.App.run(App.java)"},
		{symbols.Frame{Method: &symbols.Method{Class: "A", Name: "b"}, Line: 7}, "A.b(line 7)"},
		{symbols.Frame{Method: &symbols.Method{Class: "A", Name: "b"}, Line: -1}, "A.b(Unknown Source)"},
		{symbols.Frame{Method: &symbols.Method{Class: "A", Name: "b", Native: true}, Line: -1}, "A.b(Native Method)"},
		{symbols.Frame{Method: &symbols.Method{Name: "[unknown]"}, Line: -1}, "[unknown]"},
	} {
		if got := frameLine(test.frame); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	frames := slices.Repeat([]symbols.Frame{{Method: &app, Line: 7}}, 9)
	if got, want := compactStack(frames), strings.Repeat("App.run(App.java:7) < ", 6)+"3 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	want := strings.Repeat("App.run(App.java:7) < ", 6) + "App.run(App.java:7)"
	if got := compactStack(frames[:7]); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTree(t *testing.T) {
	p := fold(t, profiletest.Contexts)
	for _, test := range []struct {
		top  int
		min  float64
		want string
	}{
		{0, 0, `
Objects  Share  Calls  Method
    170  100.0         everything
    113   66.5      1  ├─ demo.App.main
    104   61.2    104  │  ├─ java.util.HashMap.put
    104   61.2    104  │  │  java.util.HashMap.newNode
    104   61.2         │  │  new java.util.HashMap$Node
      8    4.7      1  │  ├─ demo.App.walk
      7    4.1      2  │  │  ├─ demo.App.walk
      5    2.9      4  │  │  │  ├─ demo.App.walk
      3    1.8         │  │  │  │  ├─ new demo.Point
      2    1.2         │  │  │  │  └─ new byte[]
      2    1.2         │  │  │  └─ new demo.Point
      1    0.6         │  │  └─ new demo.Point
      1    0.6         │  └─ new int[]
     50   29.4      2  ├─ java.lang.Thread.run
     50   29.4      2  │  demo.App.run
     50   29.4     50  │  jdk.internal.reflect.NativeMethodAccessorImpl.invoke0
     50   29.4     50  │  java.util.HashMap.put
     50   29.4     50  │  java.util.HashMap.newNode
     50   29.4         │  new java.util.HashMap$Node
      7    4.1         └─ [unknown]
      7    4.1            java.util.HashMap.hash
      7    4.1            new java.util.HashMap$Node
`},
		{4, 0, `
Objects  Share  Calls  Method
    170  100.0         everything
    113   66.5      1  ├─ demo.App.main
    104   61.2    104  │  ├─ java.util.HashMap.put
    104   61.2    104  │  │  java.util.HashMap.newNode
    104   61.2         │  │  new java.util.HashMap$Node
      9    5.3         │  └─ (2 more)
     57   33.5         └─ (2 more)
`},
		{0, 20, `
Objects  Share  Calls  Method
    170  100.0         everything
    113   66.5      1  ├─ demo.App.main
    104   61.2    104  │  java.util.HashMap.put
    104   61.2    104  │  java.util.HashMap.newNode
    104   61.2         │  new java.util.HashMap$Node
     50   29.4      2  └─ java.lang.Thread.run
     50   29.4      2     demo.App.run
     50   29.4     50     jdk.internal.reflect.NativeMethodAccessorImpl.invoke0
     50   29.4     50     java.util.HashMap.put
     50   29.4     50     java.util.HashMap.newNode
     50   29.4            new java.util.HashMap$Node
`},
	} {
		report := TreeReport{File: "demo.mallard", Profile: p, Tree: p.Tree(profile.TreeQuery{}), Top: test.top,
			Min: test.min}
		var out strings.Builder
		if err := report.Text(&out); err != nil {
			t.Fatal(err)
		}
		_, tree, _ := strings.Cut(out.String(), "\n\n")
		if diff := cmp.Diff(test.want, "\n"+tree); diff != "" {
			t.Errorf("top %d, min %v: -want +got:\n%s", test.top, test.min, diff)
		}
	}
}

// TestPprofTransactions has transactions as frames and as a label.
func TestPprofTransactions(t *testing.T) {
	p := exported(t, fold(t, profiletest.Transactions), profile.Filter{Transaction: "order"})
	got := sampled(p, func(s *pprof.Sample) string {
		line := strings.Join(s.Label["transaction"], "")
		for _, l := range s.Location {
			line += " " + l.Line[0].Function.Name
		}
		return line
	})
	want := []string{"item demo.Main.run [item] [order] 200", "order demo.Main.helper demo.Main.run [order] 30",
		"order demo.Main.run [order] 10"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
