package classpath

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write makes files in a new folder: jars of what is behind their names, file=text, or others with nothing in them.
func write(t *testing.T, files map[string][]string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, entries := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if !strings.HasSuffix(name, ".jar") {
			continue
		}
		jar := zip.NewWriter(file)
		for _, entry := range entries {
			entry, text, _ := strings.Cut(entry, "=")
			w, err := jar.Create(entry)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := jar.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// command is a command line, words separated by |, in which @ is a folder.
func command(folder, line string) []string {
	return strings.Split(strings.ReplaceAll(line, "@", folder), "|")
}

// TestOf: the class path of a command line, with what manifests name, each once.
func TestOf(t *testing.T) {
	folder := write(t, map[string][]string{
		"a.jar": {"META-INF/MANIFEST.MF=Manifest-Version: 1.0\r\nClass-Path: lib/b.jar classes/ \r\n" +
			"  file:///abs/c.jar http://x/d.jar lib/%62.jar\r\n\r\nName: x\r\nClass-Path: e.jar\r\n"},
		"lib/b.jar": {"META-INF/MANIFEST.MF=Class-Path: ../a.jar ../f.jar\n"},
		"lib/x.jar": {"X.class"}, "lib/other.txt": nil,
	})
	for line, want := range map[string]string{
		"java|-cp|@/a.jar:@/other|Main|-cp|z.jar":   "@/a.jar @/lib/b.jar @/f.jar @/classes /abs/c.jar @/other",
		"java|-cp|old|-classpath|@/lib/*|Main":      "@/lib/b.jar @/a.jar @/classes /abs/c.jar @/f.jar @/lib/x.jar",
		"java|-cp|z.jar|-Xmx1g|-jar|@/lib/x.jar":    "@/lib/x.jar",
		"java|--class-path=x:y|--add-opens|a/b=c|M": "x y",
		"java|Main|-jar|x.jar":                      "", "java|-cp": "", "java|-jar": "", "": "",
	} {
		got := strings.Join(Of(command(folder, line)), " ")
		if got != strings.ReplaceAll(want, "@", folder) {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// TestFindOwn: what is the user's own code is known by where it is.
func TestFindOwn(t *testing.T) {
	acme, guava := "META-INF/maven/com.acme/core/pom.xml", "META-INF/maven/com.google.guava/guava/pom.xml"
	folder := write(t, map[string][]string{
		"target/classes/com/acme/shop/Shop.class": nil, "target/classes/net/bar/Bar.class": nil,
		"target/classes/readme.txt": nil, "target/classes/module-info.class": nil,
		"plain/Main.class": nil, "plain/lib-1.2/org/Lib.class": nil, "plain/.git/x/X.class": nil,
		"lib/web.jar":               {acme, "com/acme/web/Main.class", "META-INF/versions/11/other/X.class"},
		"lib/core.jar":              {acme, "biz/core/Core.class"},
		"lib/guava.jar":             {guava, "com/google/common/Lists.class"},
		"lib/fat.jar":               {acme, guava, "com/acme/web/Main.class", "com/google/common/Lists.class"},
		".m2/repository/launch.jar": {acme, "org/launch/Launch.class"},
		".m2/repository/core.jar":   {acme, "org/core/Core.class"},
		"boot.jar": {"META-INF/MANIFEST.MF=Main-Class: org.spring.Launcher\nStart-Class: com.acme.Ap\n p\n",
			"BOOT-INF/classes/com/acme/App.class", "BOOT-INF/classes/App.class", "org/spring/Launcher.class"},
		"main.jar": {"META-INF/MANIFEST.MF=Main-Class: com.acme.Tool\n", "com/acme/Tool.class"},
		"bad.jar":  nil,
	})
	if err := os.WriteFile(filepath.Join(folder, "bad.jar"), []byte("no jar"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line, main, packages, from string
		want                       Own
	}{
		{"java|-cp|@/target/classes:@/lib/guava.jar|M", "com.acme.shop.Shop", "com.acme.shop net.bar", "target/classes",
			Own{}},
		{"java|-cp|@/plain:@/none:@/bad.jar|Main", "Main", " ", "plain", Own{}},
		{"java|-cp|@/lib/web.jar:@/lib/core.jar:@/lib/guava.jar:@/.m2/repository/core.jar|M", "com.acme.web.Main",
			"biz.core com.acme.web", "lib/web.jar lib/core.jar", Own{}},
		{"java|-cp|@/lib/fat.jar:@/lib/core.jar|M", "com.acme.web.Main", "", "", Own{}},
		{"java|-cp|@/.m2/repository/launch.jar:@/lib/core.jar|M", "org.launch.Launch", "", "", Own{Library: true}},
		{"java|-jar|@/boot.jar", "", " com.acme", "boot.jar", Own{Main: "com.acme.App"}},
		{"java|-jar|@/main.jar", "", "", "", Own{Main: "com.acme.Tool"}},
		{"java|Main", "Main", "", "", Own{}},
	} {
		want := c.want
		if c.packages != "" {
			want.Packages = strings.Split(strings.TrimSuffix(c.packages, " "), " ")
		}
		for entry := range strings.FieldsSeq(c.from) {
			want.From = append(want.From, filepath.Join(folder, entry))
		}
		if diff := cmp.Diff(want, FindOwn(command(folder, c.line), c.main)); diff != "" {
			t.Errorf("%s: %s", c.line, diff)
		}
	}
}

// TestHostilePaths: what a recording names may be anything.
func TestHostilePaths(t *testing.T) {
	folder := write(t, map[string][]string{
		"loop.jar": {"META-INF/MANIFEST.MF=Class-Path: " + strings.Repeat("loop.jar ../../../dev/zero ", 5000) + "\n"},
	})
	for _, line := range []string{"java|-cp|/dev/zero:/dev/tty:/proc/self/fd:@/loop.jar:\x00|M", "java|-jar|/dev/stdin",
		"java|-cp|" + strings.Repeat("x*:", 3*maxEntries) + "|M", "java|-jar|@/loop.jar"} {
		if own := FindOwn(command(folder, line), "M"); len(own.Packages) > 0 {
			t.Errorf("%.40q: %+v", line, own)
		}
	}
	var many []string
	for i := range 3 * maxEntries {
		many = append(many, strings.Repeat("x", i%100)+string(rune('a'+i/100)))
	}
	if n := len(Of([]string{"java", "-cp", strings.Join(many, ":"), "M"})); n != maxEntries {
		t.Errorf("%d entries", n)
	}
}
