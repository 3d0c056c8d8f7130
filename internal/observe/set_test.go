package observe

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// closing notes when it is closed.
type closing struct {
	Base
	closed *[]string
	name   string
}

func (c closing) Close() { *c.closed = append(*c.closed, c.name) }

// newSet has an observer of each kind: counts and pauses are there by default, and pauses beside others; trees needs
// calls; depth has a flag, and often is always there.
func newSet(closed *[]string) *Set {
	open := func(name string) func(*Host) (Observer, error) {
		return func(*Host) (Observer, error) {
			if name == "broken" {
				return nil, errors.New("broken")
			}
			return closing{closed: closed, name: name}, nil
		}
	}
	none := func() []string { return nil }
	return NewSet(
		&Definition{Name: "counts", Choice: Tracked, Default: true, Open: open("counts")},
		&Definition{Name: "pauses", Choice: Tracked, Default: true, Besides: true, Open: open("pauses")},
		&Definition{
			Name: "calls", Choice: Tracked, Open: open("calls"), JVMOptions: []string{"-huge"},
			Recorded:       func() []string { return []string{"calls", "hashed"} },
			Variant:        func() string { return "-calls" },
			FixesPlacement: func() bool { return true },
		},
		&Definition{
			Name: "trees", Choice: Tracked, Open: open("trees"),
			Needs:     func() []string { return []string{"calls"} },
			PerLoader: func() bool { return true },
		},
		&Definition{Name: "depth", Choice: Switched, Help: "count depths", Recorded: none, Open: open("depth")},
		&Definition{Name: "often", Choice: Always, Recorded: none, Open: open("often")},
		&Definition{Name: "broken", Choice: Tracked, Open: open("broken")},
	)
}

// TestSet chooses observers, and looks at what follows from that.
func TestSet(t *testing.T) {
	for _, test := range []struct {
		track, flags       string // separated by spaces
		recorded, variant  string
		fixed, huge        bool
		opened             string
		unknown, unwilling bool
	}{
		{recorded: "counts pauses", opened: "counts pauses often"},
		{track: "counts", recorded: "counts pauses", opened: "counts pauses often"},
		{
			track: "calls", recorded: "pauses calls hashed", variant: "-calls", fixed: true, huge: true,
			opened: "pauses calls often",
		},
		{
			track: "trees counts", recorded: "counts pauses calls hashed trees", variant: "-calls", fixed: true,
			huge:   true,
			opened: "counts pauses calls trees often",
		},
		{flags: "depth", recorded: "counts pauses", opened: "counts pauses depth often"},
		{flags: "depth", track: "counts", recorded: "counts pauses", opened: "counts pauses depth often"},
		{track: "dreams", unknown: true},
		{track: "counts broken", recorded: "counts pauses broken", unwilling: true},
	} {
		t.Run(test.flags+" "+test.track, func(t *testing.T) {
			var closed []string
			s := newSet(&closed)
			for _, o := range s.Options() {
				if slices.Contains(strings.Fields(test.flags), o.Name) {
					if err := o.Set("true"); err != nil {
						t.Fatal(err)
					}
				}
			}
			if test.track != "" {
				var unknown *UnknownError
				if err := s.Track(strings.Fields(test.track)); errors.As(err, &unknown) != test.unknown {
					t.Errorf("error %v", err)
				}
			}
			if test.unknown {
				return
			}
			if got := strings.Join(s.Recorded(), " "); got != test.recorded {
				t.Errorf("recorded %q, want %q", got, test.recorded)
			}
			loaders := strings.Contains(test.track, "trees")
			if variant, perLoader := s.Variant(); variant != test.variant || perLoader != loaders {
				t.Errorf("variant %q, by loader %v", variant, perLoader)
			}
			if s.FixesPlacement() != test.fixed || (len(s.JVMOptions()) > 0) != test.huge {
				t.Errorf("fixes placement %v, JVM options %v", s.FixesPlacement(), s.JVMOptions())
			}
			observers, err := s.Open(&Host{})
			var opened []string
			for _, o := range observers {
				opened = append(opened, o.(closing).name)
			}
			if strings.Join(opened, " ") != test.opened || (err != nil) != test.unwilling {
				t.Errorf("opened %v, error %v", opened, err)
			}
			if slices.Sort(closed); test.unwilling != slices.Equal(closed, []string{"counts", "often", "pauses"}) {
				t.Errorf("closed %v", closed)
			}
		})
	}
	if s := newSet(nil); s.Track(nil) == nil {
		t.Error("nothing can be tracked")
	}
}
