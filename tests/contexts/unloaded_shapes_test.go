package contexts_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestUnloadedShapes has thousands of loaders, one after the other, with classes of which no two have as many
// allocations and calls in their methods. What each made, called by whom, is known exactly, and there is memory for the
// contexts of a fraction of them: methods have the nodes of methods of any class that was unloaded, in
// transactions, too.
func TestUnloadedShapes(t *testing.T) {
	t.Parallel()
	const perStep = 300
	jdks := jvmtest.JDKs(t)
	for i, c := range []struct {
		representation string
		transactions   bool
		steps          int
		memory         int // MB; if nothing were used again, twice as much would be needed
	}{{"hashed", false, 16, 24}, {"tree", false, 16, 14}, {"encoded", false, 12, 24}, {"hashed", true, 8, 28},
		{"tree", true, 8, 40}, {"encoded", true, 8, 28}} {
		jdk := jdks[i%len(jdks)]
		t.Run(fmt.Sprintf("%s/transactions=%v/%s", c.representation, c.transactions, jdk), func(t *testing.T) {
			t.Parallel()
			command := mallardtest.CompiledWithAPI(t, jdk, "Shapes", fmt.Sprint(perStep), fmt.Sprint(c.steps))
			options := []string{"--contexts", c.representation}
			if c.transactions {
				command.Args = append(command.Args, "transactions")
				options = append(options, "--transaction-at", "Shapes.use")
			}
			profile := unloading(t, jdk, command, perStep, c.steps, c.memory, options...)
			if diff := cmp.Diff(shaped(perStep*c.steps), madeByShaped(profile)); diff != "" {
				t.Errorf("what classes made, and who had called: -want +got:\n%s", diff)
			}
		})
	}
}

// shaped is what the program's classes make, each in two threads: arrays by method and caller, objects by what called
// Shapes.leaf.
func shaped(classes int) map[string]int64 {
	want := map[string]int64{}
	for k := range classes {
		caller := fmt.Sprintf("G%d.applyAsInt", k)
		for i := range 3 + k%5 {
			method := fmt.Sprintf("G%d.m%d", k, i)
			want[caller+" "+method+" int[]"] = 2 * (1 + below(12, k, 2*i))
			if n := below(10, k, 2*i+1); n > 0 {
				want[method+" Shapes.leaf java.lang.Object"] = 2 * n
			}
			caller = method
		}
	}
	return want
}

func below(bound uint32, k, j int) int64 {
	h := uint32(k)*0x9E3779B1 + uint32(j)*0x85EBCA6B
	h ^= h >> 15
	h *= 0x2C1B3C6D
	h ^= h >> 12
	return int64((h >> 1) % bound)
}

// madeByShaped is what a recording says of them.
func madeByShaped(p *profile.Profile) map[string]int64 {
	got := map[string]int64{}
	for _, thread := range p.Threads {
		for _, cell := range thread.Cells {
			site := &p.Sites[cell.Site]
			if site.Class[0] != 'G' && site.Method != "leaf" || cell.Amount.Objects == 0 {
				continue
			}
			caller := "unknown"
			if stack := p.Stack(site, cell.Context); len(stack) > 1 {
				caller = stack[1].Method.Class + "." + stack[1].Method.Name
			}
			got[caller+" "+site.Class+"."+site.Method+" "+site.Type] += cell.Amount.Objects
		}
	}
	return got
}
