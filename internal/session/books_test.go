package session_test

import (
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// keeper compiles a program of this package's testdata that extends Books.
func keeper(t *testing.T, jdk jvmtest.JDK, name string, args ...string) jvmtest.Command {
	t.Helper()
	base := compiledWithAPI(t, jdk, "Books").Classpath
	own := jdk.MustJavac(t, []string{"-cp", strings.Join(base, ":")}, filepath.Join("testdata", name+".java"))
	return jvmtest.Command{Classpath: append(base, own), Main: name, Args: args}
}
