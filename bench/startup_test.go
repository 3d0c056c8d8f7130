package main

import (
	"path/filepath"
	"testing"

	"mallard/internal/jvmtest"
)

// TestStarts starts a JVM in all ways, the ones that answer from memory twice.
func TestStarts(t *testing.T) {
	root := jvmtest.MustRoot(t)
	s := &session{builds: builds{root: root, mallard: filepath.Join(root, "bin", "mallard")}, rounds: 1, short: true}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := jdk.MustJavac(t, nil, filepath.Join(root, "bench", "startup", "Hello.java"))
		var rows []Startup
		hello := shortProgram{"hello", jvmtest.Command{Classpath: []string{classes}, Main: "Hello"}}
		err := s.timeStarts(jdk, hello, func(r []Startup) error {
			rows = r
			return nil
		})
		if err != nil || len(rows) == 0 {
			t.Fatal(len(rows), err)
		}
		for _, row := range rows {
			if len(row.Millis) != 1 || row.Millis[0] <= 0 {
				t.Errorf("%+v", row)
			}
		}
	})
}
