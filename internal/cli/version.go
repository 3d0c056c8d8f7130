package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"mallard/internal/trace"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of mallard",
		Long: `Print the version of mallard, the commit it was built from, the newest recording format
that it reads, and what it was built with. "mallard --version" prints the same.`,
		Example: `  mallard version`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			return p.print(writeVersion)
		},
	}
}

func writeVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, "mallard %s\nrecordings of format %d\nbuilt with %s for %s/%s\n",
		buildVersion(), trace.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// buildVersion is the module's version, and the commit where the binary was
// built inside a checkout.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	settings := map[string]string{}
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	if commit := settings["vcs.revision"]; commit != "" {
		version += " " + commit[:min(12, len(commit))]
	}
	if settings["vcs.modified"] == "true" {
		version += " (modified)"
	}
	return version
}
