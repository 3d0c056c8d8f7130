package jvmtest

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// JDK is an installed development kit: it has java, javac and the headers of JNI.
type JDK struct {
	Home    string // canonical folder
	Feature int    // 17, 25
	Version string // as the release file says: 17.0.15
}

// String names the JDK by its feature release, which is how subtests are called: jdk17.
func (j JDK) String() string { return "jdk" + strconv.Itoa(j.Feature) }

// Tool returns the path of a program of the JDK, such as java or javac.
func (j JDK) Tool(name string) string { return filepath.Join(j.Home, "bin", name) }

// installFolder holds the JDKs that Linux distributions install.
const installFolder = "/usr/lib/jvm"

// minimumFeature is the oldest release that Mallard supports.
const minimumFeature = 17

// virtualThreads is the first release that has them (JEP 444).
const virtualThreads = 21

// FindJDKs returns the JDKs of the machine, JAVA_HOME and those below /usr/lib/jvm, from the oldest feature release to
// the newest, one for each release (JAVA_HOME wins). Runtimes without a compiler and releases before 17 are left out.
// It is an error if nothing remains.
func FindJDKs() ([]JDK, error) {
	homes, err := filepath.Glob(filepath.Join(installFolder, "*"))
	if err != nil {
		return nil, err
	}
	if home := os.Getenv("JAVA_HOME"); home != "" {
		homes = append([]string{home}, homes...)
	}
	var found []JDK
	for _, home := range homes {
		jdk, err := openJDK(home)
		known := func(other JDK) bool { return other.Feature == jdk.Feature }
		if err != nil || jdk.Feature < minimumFeature || slices.ContainsFunc(found, known) {
			continue
		}
		found = append(found, jdk)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("jvmtest: no JDK of release %d or newer, neither in JAVA_HOME nor below %s",
			minimumFeature, installFolder)
	}
	slices.SortFunc(found, func(a, b JDK) int { return a.Feature - b.Feature })
	return found, nil
}

func openJDK(home string) (JDK, error) {
	home, err := filepath.EvalSymlinks(home)
	if err != nil {
		return JDK{}, err
	}
	jdk := JDK{Home: home}
	for _, needed := range []string{jdk.Tool("java"), jdk.Tool("javac"), filepath.Join(home, "include", "jvmti.h")} {
		if _, err := os.Stat(needed); err != nil {
			return JDK{}, err
		}
	}
	release, err := os.Open(filepath.Join(home, "release"))
	if err != nil {
		return JDK{}, err
	}
	defer release.Close()
	for lines := bufio.NewScanner(release); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "JAVA_VERSION="); ok {
			jdk.Version = strings.Trim(value, `"`)
		}
	}
	feature, _, _ := strings.Cut(jdk.Version, ".")
	if jdk.Feature, err = strconv.Atoi(feature); err != nil {
		return JDK{}, errors.New("jvmtest: no JAVA_VERSION in " + release.Name())
	}
	return jdk, nil
}

// JDKs is FindJDKs for tests: a machine without any JDK fails the test, and in CI one that lacks the oldest release, or
// has no JDK with virtual threads.
func JDKs(tb testing.TB) []JDK {
	tb.Helper()
	jdks, err := FindJDKs()
	if err != nil {
		tb.Fatal(err)
	}
	oldest, newest := jdks[0], jdks[len(jdks)-1]
	if os.Getenv("CI") != "" && (oldest.Feature != minimumFeature || newest.Feature < virtualThreads) {
		tb.Fatalf("JDKs are from %v to %v: CI is to have release %d, and one of release %d or newer", oldest, newest,
			minimumFeature, virtualThreads)
	}
	return jdks
}

// ForEachJDK runs a subtest on each JDK of the machine.
func ForEachJDK(t *testing.T, test func(t *testing.T, jdk JDK)) {
	t.Helper()
	for _, jdk := range JDKs(t) {
		t.Run(jdk.String(), func(t *testing.T) { test(t, jdk) })
	}
}
