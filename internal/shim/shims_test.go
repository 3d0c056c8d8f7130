package shim

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvm"
)

// fakeJDK makes what launchers are found by, and gives the JDK's folder.
func fakeJDK(t *testing.T) string {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{"lib/libjli.so": "", "lib/modules": "all", "release": "17",
		"bin/java": "\x7fELF libjli.so", "bin/javac": "\x7fELF libjli.so", "bin/other": "#!/bin/sh\n"} {
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func TestInto(t *testing.T) {
	home, other := fakeJDK(t), fakeJDK(t)
	path := t.TempDir()
	if err := os.Symlink(filepath.Join(home, "bin", "java"), filepath.Join(path, "java")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", path)
	shims := Shims{Folder: t.TempDir(), Launcher: "/bin/true", Binary: "/bin/true"}
	given := []string{"A=" + home, "JAVA_HOME=" + other, "JAVACMD=" + filepath.Join(home, "bin/javac"), "PATH=" + path,
		"JDK_HOME=/nowhere", "JAVA_OPTS=-Dx", "JRE_HOME=" + filepath.Join(home, "lib")}
	for range 2 { // the second time all is there
		environment, err := shims.Into(given)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range environment {
			if changed := v != given[i]; changed != slices.Contains([]int{1, 2, 3}, i) {
				t.Errorf("%s, which was %s", v, given[i])
			}
		}
		first, rest, _ := strings.Cut(jvm.Variable(environment, "PATH"), ":")
		if entries, err := os.ReadDir(first); rest != path || err != nil || len(entries) != 1 {
			t.Errorf("PATH %s:%s has %v, %v", first, rest, entries, err)
		}
		for shim, want := range map[string]string{
			filepath.Join(first, "java"):                                      filepath.Join(home, "bin/java"),
			filepath.Join(jvm.Variable(environment, "JAVA_HOME"), "bin/java"): filepath.Join(other, "bin/java"),
			jvm.Variable(environment, "JAVACMD"):                              filepath.Join(home, "bin/javac"),
		} {
			if launcher, err := launcherOf(shim); launcher != want || err != nil {
				t.Errorf("%s is for %s, %v, want %s", shim, launcher, err, want)
			}
			real, err := filepath.EvalSymlinks(shim)
			if err != nil {
				t.Fatal(err)
			}
			beside := map[string]string{"lib/modules": "all", "release": "17", "bin/other": "#!/bin/sh\n"}
			for file, want := range beside {
				if text, err := os.ReadFile(filepath.Join(real, "../..", file)); string(text) != want {
					t.Errorf("%s beside %s: %q, %v", file, shim, text, err)
				}
			}
		}
	}
}

// TestRepaired has a shim that somebody overwrote made again.
func TestRepaired(t *testing.T) {
	home := fakeJDK(t)
	t.Setenv("PATH", filepath.Join(home, "bin"))
	shims := Shims{Folder: t.TempDir(), Launcher: "/bin/true", Binary: "/bin/true"}
	for range 2 {
		environment, err := shims.Into([]string{"JAVA_HOME=" + home})
		if err != nil {
			t.Fatal(err)
		}
		java := filepath.Join(jvm.Variable(environment, "JAVA_HOME"), "bin", "java")
		if _, err := launcherOf(java); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(java, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoShims asks for shims that the kernel, or some user, could not start.
func TestNoShims(t *testing.T) {
	home, private := fakeJDK(t), t.TempDir()
	t.Setenv("PATH", filepath.Join(home, "bin"))
	binary := filepath.Join(private, "mallard")
	if err := os.WriteFile(binary, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(private, 0o700); err != nil {
		t.Fatal(err)
	}
	given := []string{"JAVA_HOME=" + home}
	for binary, refused := range map[string]bool{"/a b/mallard": true, "/" + strings.Repeat("long", 80): true,
		binary: os.Geteuid() == 0, "/bin/true": false} {
		environment, err := Shims{Folder: t.TempDir(), Launcher: "/bin/true", Binary: binary}.Into(given)
		if (err != nil) != refused || refused && !slices.Equal(environment, given) {
			t.Errorf("%s: %v, %v", binary, environment, err)
		}
	}
}

func TestLauncherOf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "java")
	for _, text := range []string{"", "#!/m shim\n", "#!/m shim\nbin/java\n", "#!/m shim\n/bin/java"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if launcher, err := launcherOf(path); err == nil {
			t.Errorf("%q is for %s", text, launcher)
		}
	}
	if err := Start(filepath.Join(t.TempDir(), "java"), nil, func(string) {}); err == nil {
		t.Error("started what is not there")
	}
}
