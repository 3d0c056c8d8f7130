package truth_test

import (
	"path/filepath"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestMirrors: with collectors that move objects while threads run, as many mirrors are counted as the heap has, and
// as many bytes.
func TestMirrors(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		library, err := jdk.Agent(mallardtest.Source(t, "agents", "heap.c"))
		if err != nil {
			t.Fatal(err)
		}
		command := jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil, mallardtest.Source(t, "Handed.java"))},
			Main: "Handed", Args: []string{"3"}}
		for _, collector := range []string{"-XX:+UseZGC", "-XX:+UseShenandoahGC", "-XX:+UseSerialGC"} {
			if jdk.MustRun(t, jvmtest.Command{Options: []string{collector, "-version"}}).ExitCode != 0 {
				continue // this JDK does not have that collector
			}
			file := filepath.Join(t.TempDir(), "heap")
			command.Options = []string{collector, "-Xmx512m", "-agentpath:" + library + "=" + file}
			_, p := mallardtest.Record(t, jdk, command)
			inHeap, _ := readHeap(t, file)
			const primitive = 9 // types, void included: their mirrors are in no loader's list
			var have profile.Amount
			for _, row := range p.Rows(profile.Query{By: profile.ByClass}).Rows {
				if row.Class == "java.lang.Class" {
					have = row.Amount
				}
			}
			made := inHeap["java.lang.Class"]
			t.Logf("%s: %+v %+v", collector, have, made)
			if made.Objects-have.Objects != primitive {
				t.Errorf("%s: %d mirrors are counted, and there are %d", collector, have.Objects, made.Objects)
			}
			if less := made.Bytes - have.Bytes; less < primitive*80 || less > primitive*200 {
				t.Errorf("%s: %d bytes of mirrors are counted, and there are %d", collector, have.Bytes, made.Bytes)
			}
		}
	})
}
