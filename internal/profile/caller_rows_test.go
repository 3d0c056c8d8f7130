package profile_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/classpath"
	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// TestCallers compares lines of the user's code with what all stacks say, one by one.
func TestCallers(t *testing.T) {
	type line struct {
		method, descriptor, loader string
		line                       int32
	}
	for name, text := range map[string]string{"contexts": profiletest.Contexts, "demo": profiletest.Demo,
		"transactions": profiletest.Transactions} {
		p, err := profile.Fold(bytes.NewReader(profiletest.MustEncode(t, text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, patterns := range []string{"demo.*", "App", "java.util", "*", "nothing"} {
			mine := &profile.Mine{Patterns: patterns}
			all, self, others := map[line]profile.Amount{}, map[line]profile.Amount{}, profile.Amount{}
			for s := range p.Samples(profile.Filter{}) {
				if s.Site.Executed {
					continue
				}
				seen := map[line]bool{}
				for _, f := range p.Stack(s.Site, s.Context) {
					at := line{f.Title(), f.Descriptor, f.Loader, f.Line}
					if !mine.Is(f.Class) || seen[at] {
						continue
					}
					if len(seen) == 0 {
						a := self[at]
						a.Add(s.Amount)
						self[at] = a
					}
					a := all[at]
					a.Add(s.Amount)
					all[at], seen[at] = a, true
				}
				if len(seen) == 0 {
					others.Add(s.Amount)
				}
			}
			answer := p.Rows(profile.Query{By: profile.ByCaller, Mine: mine})
			gotAll, gotSelf := map[line]profile.Amount{}, map[line]profile.Amount{}
			for _, r := range answer.Rows {
				at := line{r.Site.Class + "." + r.Site.Method, r.Site.Descriptor, r.Loader, r.Site.Line}
				gotAll[at] = r.Amount
				if !r.Self.IsZero() {
					gotSelf[at] = r.Self
				}
			}
			if diff := cmp.Diff([]any{all, self, others}, []any{gotAll, gotSelf, answer.Others},
				cmp.AllowUnexported(line{})); diff != "" {
				t.Errorf("%s, %s: -stacks +rows\n%s", name, patterns, diff)
			}
		}
	}
}

// TestGuessMine takes the user's code from the main class.
func TestGuessMine(t *testing.T) {
	p, err := profile.Fold(bytes.NewReader(profiletest.MustEncode(t, profiletest.Demo)))
	if err != nil {
		t.Fatal(err)
	}
	mine := p.GuessMine()
	if mine.Text() != "demo.*" || mine.Guessed != "main class demo.Main" || !mine.Is("demo.Plugin") ||
		mine.Is("java.util.HashMap") {
		t.Errorf("%q (%s)", mine.Text(), mine.Guessed)
	}
	for _, c := range []struct {
		own           classpath.Own
		text, guessed string
	}{
		{classpath.Own{Packages: []string{"", "demo.a", "org.foo.a.b", "org.foo.c"},
			From: []string{"classes", "b.jar"}},
			"classes without a package, demo.*,org.foo.*", "main class demo.Main, classes, b.jar"},
		{classpath.Own{Library: true, Packages: []string{"org.foo"}, From: []string{"classes"}}, "org.foo.*",
			"classes"},
		{classpath.Own{Library: true}, "all classes but the JDK's", "no main class is known"},
	} {
		p.Own = func(main string) classpath.Own {
			if main != "demo.Main" {
				t.Errorf("main class %q", main)
			}
			return c.own
		}
		mine := p.GuessMine()
		if mine.Text() != c.text || mine.Guessed != c.guessed || mine.Is("java.util.HashMap") {
			t.Errorf("%q (%s), want %q (%s)", mine.Text(), mine.Guessed, c.text, c.guessed)
		}
		if is := mine.Is("Plain"); is != (c.text[0] != 'o') {
			t.Errorf("%s: a class without a package: %v", c.text, is)
		}
	}
	p.Own = func(string) classpath.Own { return classpath.Own{Main: "shop.boot.App"} }
	p.Process.Command = []string{"java", "-jar", "app.jar"}
	if mine := p.GuessMine(); mine.Text() != "shop.boot.*" || mine.Guessed != "main class shop.boot.App" {
		t.Errorf("%q (%s)", mine.Text(), mine.Guessed)
	}
	p.Own = func(string) classpath.Own { return classpath.Own{Main: "org.junit.platform.console.Launcher"} }
	if mine := p.GuessMine(); !mine.Is("demo.Main") || mine.Is("java.lang.String") {
		t.Errorf("%q (%s)", mine.Text(), mine.Guessed)
	}
	p.Own, p.Methods = nil, nil
	if mine := p.GuessMine(); mine.Is("java.util.HashMap") || !mine.Is("org.foo.Main") || mine.Is("") {
		t.Errorf("%q (%s)", mine.Text(), mine.Guessed)
	}
}
