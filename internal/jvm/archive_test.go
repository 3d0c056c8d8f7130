package jvm

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWritesArchive(t *testing.T) {
	home := fakeJDK(t)
	t.Setenv("PATH", filepath.Join(home, "bin"))
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const exit = "-XX:ArchiveClassesAtExit=a.jsa"
	words := write("words", "# "+exit+"\n-cp 'a b' \"-XX:ArchiveClassesAtExit=\\\n   a.jsa\"\n")
	quiet := write("quiet", "# "+exit+"\n-cp "+exit+" Main "+exit)
	nested := write("nested", "@"+words)
	flags := write("flags", "-Dx +AutoCreateSharedArchive\n")
	more := write("more", "-Da='b c' -Xshare:dump")
	for _, test := range []struct {
		name, want           string
		command, environment []string
	}{
		{name: "none", command: []string{"java", "-cp", "x", "Main"}},
		{name: "no command"},
		{name: "at exit", command: []string{"java", "-cp", "x", exit, "Main"}, want: exit},
		{name: "dump", command: []string{"java", "-Xshare:dump"}, want: "-Xshare:dump"},
		{name: "dump taken back", command: []string{"java", "-Xshare:dump", "-Xshare:auto", "Main"}},
		{name: "automatic", command: []string{"java", "-XX:+AutoCreateSharedArchive", "-jar", "x.jar"},
			want: "-XX:+AutoCreateSharedArchive"},
		{name: "not automatic", command: []string{"java", "-XX:+AutoCreateSharedArchive",
			"-XX:-AutoCreateSharedArchive", "-jar", "x.jar"}},
		{name: "on demand", command: []string{"java", "-XX:+RecordDynamicDumpInfo", "Main"},
			want: "-XX:+RecordDynamicDumpInfo"},
		{name: "AOT recorded", command: []string{"java", "-XX:AOTMode=record", "Main"}, want: "-XX:AOTMode=record"},
		{name: "AOT used", command: []string{"java", "-XX:AOTMode=on", "-XX:AOTCache=a.aot", "Main"}},
		{name: "AOT at once", command: []string{"java", "-XX:AOTCacheOutput=a.aot", "Main"},
			want: "-XX:AOTCacheOutput=a.aot"},
		{name: "the program's own", command: []string{"java", "Main", exit}},
		{name: "a jar's own", command: []string{"java", "-jar", "x.jar", exit}},
		{name: "a module's own", command: []string{"java", "-p", "mods", "-m", "a/b.C", exit}},
		{name: "an option's argument", command: []string{"java", "--class-path", exit, "Main"}},
		{name: "a tool", command: []string{"javac", "-J" + exit, "A.java"}, want: exit},
		{name: "a tool's own", command: []string{"javac", exit, "A.java"}},
		{name: "a script", command: []string{"start", exit}},
		{name: "a script's environment", command: []string{"start"},
			environment: []string{`JAVA_TOOL_OPTIONS=-Dx="a b" "` + exit + `"`}, want: exit},
		{name: "java's environment", command: []string{"java", "Main"},
			environment: []string{"A=b", "JDK_JAVA_OPTIONS=" + exit}, want: exit},
		{name: "which a script's java reads, too, but not javac", command: []string{"javac"},
			environment: []string{"JDK_JAVA_OPTIONS=" + exit}},
		{name: "the last environment", command: []string{"java", "-XX:+AutoCreateSharedArchive", "Main"},
			environment: []string{"_JAVA_OPTIONS=-XX:-AutoCreateSharedArchive"}},
		{name: "a file of words", command: []string{"java", "@" + words, "Main"}, want: exit},
		{name: "a file in a file is the main class", command: []string{"java", "@" + nested, "Main"}},
		{name: "a file with other words", command: []string{"java", "@" + quiet}},
		{name: "no files", command: []string{"java", "--disable-@files", "@" + words, "Main"}},
		{name: "no such file", command: []string{"java", "@" + words + "x", "Main"}},
		{name: "a folder", command: []string{"java", "@" + folder, "Main"}},
		{name: "a file of flags", command: []string{"java", "-XX:Flags=" + flags, "Main"},
			want: "-XX:+AutoCreateSharedArchive"},
		{name: "a file of options", command: []string{"java", "-XX:VMOptionsFile=" + more, "Main"},
			want: "-Xshare:dump"},
	} {
		if got := writesArchive(test.command, test.environment); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
