package portable_test

import (
	"io"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/portable"
	"mallard/internal/profile"
)

// TestPackages: classes of the JDK count, from before main on, and every JVM starts with them, verified.
func TestPackages(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		var patch strings.Builder
		out, made := instrumentWith(t, jdk.MustJavac(t, nil, "testdata/Bits.java"), portable.Options{
			Launcher: jdk.Tool("java"), Patch: &patch,
			Packages: []string{"java.util", "java.util.concurrent", "java.util.stream", "java.io", "java.nio",
				"java.nio.file", "java.net", "java.math", "java.text", "java.time", "java.security"},
		})
		if len(made.Skipped) > 0 {
			t.Errorf("skipped %v", made.Skipped)
		}
		command := jvmtest.Command{Main: "Bits", Classpath: []string{out}}
		command.Options = []string{"-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UnlockDiagnosticVMOptions", "-Xverify:all",
			"-XX:+BytecodeVerificationLocal", "-XX:-PrintWarnings",
			"--patch-module", "java.base=" + write(t, "patch.jar", patch.String())}
		output, p := run(t, jdk, command)
		if output.Stdout != "100\n" || output.Stderr != "" || output.ExitCode != 0 {
			t.Errorf("exit code %d, %q, %q", output.ExitCode, output.Stdout, output.Stderr)
		}
		if objects(p, "java.util.BitSet") != 200 || madeIn(p, "java.util.BitSet", "long[]") != 200 {
			t.Errorf("%d sets, %d arrays", objects(p, "java.util.BitSet"), madeIn(p, "java.util.BitSet", "long[]"))
		}
		if p.Total.Unsized != 0 {
			t.Errorf("total %+v", p.Total)
		}
		for _, s := range p.Sites {
			if s.Loader != "" {
				t.Errorf("%s of loader %s", s.Class, s.Loader)
			}
		}
	})
}

// madeIn gives how many objects of a type a class made.
func madeIn(p *profile.Profile, class, made string) (n int64) {
	for _, s := range p.Sites {
		if s.Class == class && s.Type == made {
			n += s.Amount.Objects
		}
	}
	return n
}

func TestNoPackages(t *testing.T) {
	jdk := oldest(t)
	classes := jdk.MustJavac(t, nil, "testdata/Bits.java")
	for _, test := range []struct{ launcher, name, reason string }{
		{jdk.Tool("java"), "java.no.such", "java.base has no package java.no.such"},
		{"/no/such/java", "java.util", "no such file"},
		{jdk.Tool("javac"), "java.util", "javac"},
	} {
		_, err := portable.Instrument(classes, io.Discard, portable.Options{Packages: []string{test.name},
			Launcher: test.launcher, Patch: io.Discard})
		if err == nil || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s: %v", test.launcher, err)
		}
	}
	for name, allowed := range map[string]bool{"java.util": true, "javax.crypto": true, "java.lang": false,
		"java.lang.ref": false, "jdk.internal.misc": false, "": false} {
		if err := portable.CheckPackage(name); (err == nil) != allowed {
			t.Errorf("%s: %v", name, err)
		}
	}
}
