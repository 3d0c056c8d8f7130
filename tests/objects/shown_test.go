package objects_test

import (
	"strconv"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestShown has another thread lock objects all the time while constructors end that show them to it. Where headers of
// locked objects are pointers, as on JDK 17, the JVM crashes if such an object is tagged as one that nobody knows. In
// contexts each site has many tags.
func TestShown(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, track := range []string{"sites,objects", "contexts,objects"} {
			t.Run(track, func(t *testing.T) { runShown(t, jdk, track) })
		}
	})
}

func runShown(t *testing.T, jdk jvmtest.JDK, track string) {
	const kinds, each = 6, 40000
	command := mallardtest.Compiled(t, jdk, "Shown")
	command.Options = []string{"-XX:+UseG1GC", "-Xmx64m", "-Xmn2m"}
	command.Args = []string{strconv.Itoa(kinds * each)}
	history, p, output := recordedAll(t, jdk, command, track)
	want := strconv.Itoa(kinds*each) + " objects, locked, 0 lost\n"
	if output.ExitCode != 0 || output.Stdout != want {
		t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
	}
	checkHeap(t, jdk, history)
	history = history.BySites(p.Tagged)
	made := map[string]int64{}
	for _, row := range inAll(t, history, heap.BySite) {
		switch site, class := history.Site(row.Class), history.Name(row.Class); {
		case !strings.HasPrefix(class, "Shown$") || strings.Contains(class, "$$"):
		case site != nil && (site.Class != "Shown" || site.Method != "make"):
			t.Errorf("%s was made at %v", class, site)
		default: // of those that are locked then only so many between two walks have a site
			made[class] += row.Born.Objects
		}
	}
	for class, n := range made {
		if n != each {
			t.Errorf("%s: %d were born, want %d", class, n, each)
		}
	}
	if len(made) != kinds {
		t.Errorf("objects of %d classes, want %d", len(made), kinds)
	}
}
