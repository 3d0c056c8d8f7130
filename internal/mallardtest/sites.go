package mallardtest

import (
	"slices"
	"strings"

	"mallard/internal/jvmtest"
	"mallard/internal/profile"
)

// OracleSites has what the oracle saw at the allocation bytecodes of the program's own classes, and at their calls of
// methods that are there to make something.
func OracleSites(program jvmtest.Program, truth jvmtest.OracleResult) map[string]jvmtest.Counts {
	sites := map[string]jvmtest.Counts{}
	for site, counts := range truth.Sites {
		site.Declaring = shown(site.Declaring)
		if program.Declares(site.Declaring) && site.Allocates() {
			allocated := site.Class
			if site.Called != "" {
				allocated = called
			}
			AddSite(sites, site.Declaring, site.Method+site.Descriptor, site.BCI, site.Line, allocated, counts)
		}
	}
	return sites
}

// shown gives a class that a program hides the name of its class file. Those that the JDK hides for it have none of the
// program's.
func shown(class string) string {
	if !strings.Contains(class, "$$Lambda") {
		class, _, _ = strings.Cut(class, "/")
	}
	return class
}

// called stands for the types of what calls make: the code may know less of them than the oracle.
const called = "by a call"

// RecordedSites has the same of a recording. What the JVM makes around a method, as the name of a class that it asks a
// loader for, the oracle does not know.
func RecordedSites(program jvmtest.Program, p *profile.Profile, truth jvmtest.OracleResult) map[string]jvmtest.Counts {
	calls := map[CodeLocation]bool{}
	for site := range truth.Sites {
		if site.Called != "" && site.Allocates() && !strings.Contains(site.Declaring, "/") {
			calls[CodeLocation{site.Declaring, site.Method + site.Descriptor, site.BCI}] = true
		}
	}
	elsewhere, thrown := References(program, truth), isThrown(program, truth)
	handled := handledAt(truth)
	sites := map[string]jvmtest.Counts{}
	for _, site := range p.Sites {
		if program.Declares(site.Class) && !strings.Contains(site.Class, "$$Lambda") && site.Amount.Objects != 0 &&
			site.BCI >= 0 && !IsAny(elsewhere, site) && !thrown(site) {
			method, bci, allocated := site.Method+site.Descriptor, int(site.BCI), site.Type
			if calls[CodeLocation{site.Class, method, bci}] {
				allocated = called
			} else if handled[CodeLocation{site.Class, method, bci}] {
				continue
			}
			AddSite(sites, site.Class, method, bci, int(site.Line), allocated, Counted(site.Amount))
		}
	}
	return sites
}

// handledAt gives where method handles are called, or methods by reflection: what these make for their caller, besides
// linking, TestReflected and TestHandledArrays know.
func handledAt(truth jvmtest.OracleResult) map[CodeLocation]bool {
	at := map[CodeLocation]bool{}
	for site := range truth.Sites {
		if site.Instruction != "invokedynamic" && (strings.HasPrefix(site.Called, "java.lang.invoke.") ||
			site.Called == "java.lang.reflect.Method.invoke") {
			at[CodeLocation{site.Declaring, site.Method + site.Descriptor, site.BCI}] = true
		}
	}
	return at
}

// References lists what the source says of each `Foo::new`: the oracle knows the hidden class that makes the objects,
// and not where that was asked for.
func References(program jvmtest.Program, truth jvmtest.OracleResult) []jvmtest.Expectation {
	type made struct {
		line  int
		class string
	}
	known := map[made]bool{}
	for site := range truth.Sites {
		if program.Declares(shown(site.Declaring)) && site.Allocates() {
			known[made{site.Line, site.Class}] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(program.Expected), func(e jvmtest.Expectation) bool {
		return !e.Unseen || known[made{e.Line, e.Class}]
	})
}

func IsAny(references []jvmtest.Expectation, site profile.Site) bool {
	return slices.ContainsFunc(references, func(e jvmtest.Expectation) bool {
		return e.Line == int(site.Line) && e.Class == site.Type
	})
}
