package classes_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestComesAgain has many loaders define one of two classes, which come out of the class cache. What each of them makes
// is known exactly, and what is called from it; and the recorder is asked about the first ones alone.
func TestComesAgain(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, flags := range [][]string{{"--track", "sites"}, {"--track", "contexts"}} {
			t.Run(flags[1], func(t *testing.T) {
				t.Parallel()
				home, contexts := t.TempDir(), flags[1] == "contexts"
				run := func(loaders int) *profile.Profile {
					t.Helper()
					command := mallardtest.Compiled(t, jdk, "Again")
					command.Args = []string{fmt.Sprint(loaders)}
					command, file := mallardtest.Profiled(t, command, append(flags, "-q")...)
					command.Wrap = append([]string{"env", "XDG_CACHE_HOME=" + home}, command.Wrap...)
					jdk.MustRun(t, command)
					p := mallardtest.Read(t, file)
					if diff := cmp.Diff(plugins(loaders, contexts), madeByPlugins(t, p)); diff != "" {
						t.Errorf("%d loaders, and what their classes made, -want +got:\n%s", loaders, diff)
					}
					return p
				}
				run(4)
				few, many := run(20), run(220)
				if contexts && many.ContextTotals.Asked > few.ContextTotals.Asked+50 {
					t.Errorf("the recorder was asked %d times with 20 loaders, and %d times with 220",
						few.ContextTotals.Asked, many.ContextTotals.Asked)
				}
			})
		}
	})
}

// plugin is what a loader's class makes, and the loader when the VM calls it from there.
type plugin struct{ Objects, Strings, Integers, Bytes int64 }

// plugins says of how many loaders that is the same. Without contexts nobody knows where the VM called loaders from.
func plugins(loaders int, contexts bool) map[plugin]int {
	all := map[plugin]int{}
	for i := range int64(loaders) {
		made := plugin{Objects: i % 2, Strings: 1 + i%7, Integers: 1 + i%5}
		if contexts {
			made.Bytes = 1 + i%3
		}
		all[made]++
	}
	return all
}

// madeByPlugins is what a recording says of that.
func madeByPlugins(t *testing.T, p *profile.Profile) map[plugin]int {
	t.Helper()
	made := map[string]*plugin{}
	of := func(loader string) *plugin {
		if made[loader] == nil {
			made[loader] = &plugin{}
		}
		return made[loader]
	}
	for i := range p.Sites {
		site := &p.Sites[i]
		switch {
		case site.Class != "Again$Plugin" && site.Class != "Again$Other":
		case site.Type == "java.lang.Object[]":
			of(site.Loader).Objects += site.Amount.Objects
		case site.Type == "java.lang.String[]":
			of(site.Loader).Strings += site.Amount.Objects
		case site.Type == "java.lang.Integer[]":
			of(site.Loader).Integers += site.Amount.Objects
		}
	}
	called := map[int32]bool{28: true, 55: true}
	for _, thread := range p.Threads {
		for _, cell := range thread.Cells {
			site := &p.Sites[cell.Site]
			stack := p.Stack(site, cell.Context)
			if site.Class != "Again$OwnLoader" || site.Type != "byte[]" || site.BCI < 0 || len(stack) < 2 {
				continue // not the name that the VM asks for
			}
			if stack[1].Method.Name != "applyAsInt" || !called[stack[1].Line] {
				t.Errorf("a loader was called by %s, line %d", stack[1].Method.Title(), stack[1].Line)
			}
			of(stack[1].Method.Loader).Bytes += cell.Amount.Objects
		}
	}
	all := map[plugin]int{}
	for _, what := range made {
		all[*what]++
	}
	return all
}
