package mallardtest

import (
	"mallard/internal/jvmtest"
	"mallard/internal/profile"
)

// OracleThrown has the exceptions that the oracle saw the JVM make in the program's methods, and messages where it can
// tell them.
func OracleThrown(program jvmtest.Program, truth jvmtest.OracleResult) map[string]jvmtest.Counts {
	sites := map[string]jvmtest.Counts{}
	for site, counts := range truth.Sites {
		if program.Declares(site.Declaring) && site.Thrown() {
			AddSite(sites, site.Declaring, site.Method+site.Descriptor, site.BCI, site.Line, site.Class, counts)
		}
	}
	return sites
}

// RecordedThrown has the same of a recording.
func RecordedThrown(program jvmtest.Program, p *profile.Profile, truth jvmtest.OracleResult) map[string]jvmtest.Counts {
	sites, known := map[string]jvmtest.Counts{}, OracleThrown(program, truth)
	for _, site := range p.Sites {
		one := map[string]jvmtest.Counts{}
		AddSite(one, site.Class, site.Method+site.Descriptor, int(site.BCI), int(site.Line), site.Type,
			Counted(site.Amount))
		for key, counts := range one {
			if _, ok := known[key]; ok {
				sites[key] = sites[key].Plus(counts)
			}
		}
	}
	return sites
}

// isThrown tells the sites of a recording that stand for such exceptions, and for messages. An array of bytes at an
// instruction that makes them itself is no message.
func isThrown(program jvmtest.Program, truth jvmtest.OracleResult) func(site profile.Site) bool {
	type made struct {
		CodeLocation
		allocated string
	}
	known := map[made]bool{}
	for site := range truth.Sites {
		if !program.Declares(site.Declaring) || !site.Thrown() {
			continue
		}
		at := made{CodeLocation{site.Declaring, site.Method + site.Descriptor, site.BCI}, site.Class}
		known[at] = true
		for _, at.allocated = range []string{"java.lang.String", "byte[]"} {
			known[at] = known[at] || site.Instruction != "newarray byte" || at.allocated != "byte[]"
		}
	}
	return func(site profile.Site) bool {
		return known[made{CodeLocation{site.Class, site.Method + site.Descriptor, int(site.BCI)}, site.Type}]
	}
}
