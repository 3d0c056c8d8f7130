package export

import (
	"fmt"
	"strings"

	"mallard/internal/profile"
)

// stackLine prints a site as a Java stack trace does:
// java.util.HashMap.newNode(HashMap.java:1797). Without a line the bytecode
// index says where; what the JVM makes for itself is made nowhere.
func stackLine(site *profile.Site, withBCI bool) string {
	var parts []string
	switch {
	case site.Source != "" && site.Line >= 0:
		parts = append(parts, fmt.Sprintf("%s:%d", site.Source, site.Line))
	case site.Source != "":
		parts = append(parts, site.Source)
	case site.Line >= 0:
		parts = append(parts, fmt.Sprintf("line %d", site.Line))
	}
	if site.BCI >= 0 && (withBCI || site.Line < 0) {
		parts = append(parts, fmt.Sprintf("bci %d", site.BCI))
	}
	if len(parts) == 0 {
		return methodName(site)
	}
	return methodName(site) + "(" + strings.Join(parts, ", ") + ")"
}

func methodName(site *profile.Site) string { return site.Class + "." + site.Method }

func inLoader(loader string) string {
	if loader == "" {
		return ""
	}
	return " in " + loader
}

// SiteText names a site as a line of a Java stack trace does.
func SiteText(site *profile.Site) string { return stackLine(site, false) }
