package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mallard/internal/jvmtest"
)

// jarFolder is where Debian installs Java libraries.
const jarFolder = "/usr/share/java"

// Workload is a real program with a driver of ours under bench/workloads.
type Workload struct {
	Name     string
	Main     string   // driver class, in workloads/<Name>/<Main>.java
	Shared   []string // sources it needs besides, relative to the repository
	Packages []string // of Debian
	Jars     []string // in jarFolder, without .jar
	Newest   int      // newest JDK release the library works on, 0 any
	Warmup   int      // iterations
	Timed    int      // iterations
	About    string
}

const (
	generator    = "testdata/demo/GenerateSources.java"
	transactions = "bench/workloads/Transactions.java"
)

// workloads are sized to run for 5 to 10 seconds of processor time each.
var workloads = []Workload{
	{Name: "javac", Main: "Javac", Shared: []string{generator}, Warmup: 6, Timed: 9,
		About: "compiles 30 generated files"},
	{Name: "ecj", Main: "Ecj", Shared: []string{generator}, Packages: []string{"ecj"},
		Jars: []string{"eclipse-jdt-core"}, Newest: 17,
		Warmup: 5, Timed: 10, About: "compiles 30 generated files"},
	{Name: "scala", Main: "Scala", Packages: []string{"scala"}, Jars: []string{"scala-compiler", "scala-library",
		"scala-reflect", "scala-xml_2.11",
		"scala-parser-combinators_2.11"}, Warmup: 6, Timed: 10, About: "compiles a Scala file, resident"},
	{Name: "antlr4", Main: "Antlr4", Packages: []string{"antlr4"}, Jars: []string{"antlr4", "antlr4-runtime",
		"antlr3-runtime", "stringtemplate4", "treelayout"},
		Warmup: 30, Timed: 100, About: "parses a program by a grammar"},
	{Name: "h2", Main: "H2", Shared: []string{transactions}, Packages: []string{"libh2-java"}, Jars: []string{"h2"},
		Warmup: 3, Timed: 7, About: "bank transfers and reports in SQL"},
	{Name: "hsqldb", Main: "Hsqldb", Shared: []string{transactions}, Packages: []string{"libhsqldb-java"},
		Jars:   []string{"hsqldb"},
		Warmup: 3, Timed: 7, About: "bank transfers and reports in SQL"},
	{Name: "lucene", Main: "Lucene", Packages: []string{"liblucene4.10-java"}, Jars: []string{"lucene-core-4.10.4",
		"lucene-analyzers-common-4.10.4"},
		Warmup: 3, Timed: 8, About: "indexes 3,000 documents, 1,500 queries"},
	{Name: "jython", Main: "Jython", Packages: []string{"jython"}, Jars: []string{"jython"},
		Warmup: 15, Timed: 50, About: "Python classes, generators, dictionaries"},
	{Name: "groovy", Main: "Groovy", Packages: []string{"groovy"}, Jars: []string{"groovy-all"},
		Warmup: 15, Timed: 50, About: "Groovy closures over lists and maps"},
	{Name: "clojure", Main: "Clojure", Packages: []string{"libclojure-java"}, Jars: []string{"clojure"},
		Warmup: 30, Timed: 90, About: "persistent collections, lazy sequences"},
	{Name: "fop", Main: "Fop", Packages: []string{"fop"}, Jars: []string{"fop", "batik-all", "commons-io",
		"commons-logging", "serializer", "xalan2",
		"xml-apis", "xml-apis-ext", "xercesImpl", "xmlgraphics-commons", "fontbox2"},
		Warmup: 6, Timed: 15, About: "lays out a document as PDF"},
	{Name: "batik", Main: "Batik", Packages: []string{"libbatik-java"}, Jars: []string{"batik-all", "xml-apis-ext"},
		Warmup: 5, Timed: 15, About: "renders SVG to PNG"},
	{Name: "xalan", Main: "Xalan", Packages: []string{"libxalan2-java"}, Jars: []string{"xalan2"},
		Warmup: 5, Timed: 15, About: "XSLT with sorting and keys"},
	{Name: "pdfbox", Main: "Pdfbox", Packages: []string{"libpdfbox-java"}, Jars: []string{"pdfbox", "fontbox",
		"commons-logging"},
		Warmup: 6, Timed: 15, About: "writes a PDF and extracts its text"},
	{Name: "sunflow", Main: "Sunflow", Packages: []string{"libsunflow-java", "libjanino-java"},
		Jars:   []string{"sunflow", "janino", "commons-compiler"},
		Warmup: 15, Timed: 45, About: "traces rays, one thread"},
	{Name: "jfreechart", Main: "Jfreechart", Packages: []string{"libjfreechart-java"}, Jars: []string{"jfreechart",
		"jcommon"},
		Warmup: 5, Timed: 20, About: "draws charts into images"},
}

// selectWorkloads reads a list of names; "" is all.
func selectWorkloads(list string) ([]Workload, error) {
	if list == "" {
		return workloads, nil
	}
	var selected []Workload
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(workloads, func(w Workload) bool { return w.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no workload is called %q", name)
		}
		selected = append(selected, workloads[i])
	}
	return selected, nil
}

// jars returns the paths of the libraries.
func (w Workload) jars() ([]string, error) { return jars(w.Jars, w.Packages...) }

// jars returns the paths of libraries; a missing one is an error that names the packages to install.
func jars(names []string, packages ...string) ([]string, error) {
	var paths []string
	for _, name := range names {
		path := filepath.Join(jarFolder, name+".jar")
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("the packages %v are needed: %w", packages, err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// runsOn says whether the workload's library works on a JDK.
func (w Workload) runsOn(jdk jvmtest.JDK) bool { return w.Newest == 0 || jdk.Feature <= w.Newest }

// command compiles the driver and returns the command that runs it.
func (w Workload) command(at setting, root string) (jvmtest.Command, error) {
	jars, err := w.jars()
	if err != nil {
		return jvmtest.Command{}, err
	}
	folder := filepath.Join(root, "bench", "workloads")
	sources := []string{filepath.Join(folder, w.Name, w.Main+".java"), filepath.Join(folder, "Workload.java")}
	for _, shared := range w.Shared {
		sources = append(sources, filepath.Join(root, shared))
	}
	classes, err := at.jdk.Javac([]string{"-cp", strings.Join(jars, string(os.PathListSeparator))}, sources...)
	if err != nil {
		return jvmtest.Command{}, err
	}
	return jvmtest.Command{
		Options:   at.options(),
		Classpath: append([]string{classes}, jars...),
		Main:      w.Main,
		Args:      []string{fmt.Sprint(w.Warmup), fmt.Sprint(w.Timed)},
	}, nil
}
