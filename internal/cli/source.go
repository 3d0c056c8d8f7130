package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mallard/internal/export"
	"mallard/internal/profile"
)

func (p *program) sourceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "source FILE METHOD|CLASS",
		Short: "Print source lines with what they allocated",
		Long: `Print the source of a method or a class, with objects and bytes in front of each line:
what the line allocated, and in recordings with contexts also what the methods that it
called did. Lines far from any that allocated are left out.

METHOD and CLASS are names as for "mallard report --method": Shop.slow, Shop,
org.foo.Shop.

Sources are looked for where --source says: in folders (and src/main/java and src in
them), jars and zip files; the default is the working folder. Next come source jars
that Maven and Gradle keep beside the jars of the program's class path, and the
projects of class folders on it. Sources of the JDK are in its lib/src.zip, if
installed: the JDK that ran the program, or JAVA_HOME. Lines whose source is not found
are printed without text.`,
		Example:     `  mallard source app.mallard App.main --source src/main/java`,
		Annotations: firstIsRecording,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("expected a recording file and a method or class; usage: %s FILE METHOD|CLASS",
					cmd.CommandPath())
			}
			return nil
		},
	}
	paths := cmd.Flags().StringSlice("source", nil, "look for sources in these `PATHS`, separated by commas "+
		"(default .)")
	p.bound.addFlag(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		r, err := p.open(args[0])
		if err != nil {
			return err
		}
		list := r.linesOf(args[1])
		if len(list) == 0 {
			return noSource(r, args[1])
		}
		places := sourcesOf(r.profile, *paths)
		return p.print(func(w io.Writer) error {
			for i, file := range list {
				if i > 0 {
					fmt.Fprintln(w)
				}
				file.Lines, file.Place, _ = places.find(file.Name)
				if err := file.Text(w, r.profile); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return cmd
}

// linesOf has the source files of methods, or of classes, that a name stands for, with the lines that allocated.
func (r *recording) linesOf(name string) (files []*export.SourceFile) {
	is := func(class, method string) bool { return profile.MatchName(name, class+"."+method) }
	rows := r.profile.Rows(profile.Query{By: profile.ByCaller, Mine: &profile.Mine{Patterns: "*"}}).Rows
	byName := map[string]*export.SourceFile{}
	for _, row := range rows {
		site := row.Site
		// the name of a package is no class's
		if site.Line < 0 || site.Source == "" || !is(site.Class, site.Method) ||
			strings.HasPrefix(site.Class, name+".") {
			continue
		}
		file := export.SourcePath(site.Class, site.Source)
		if byName[file] == nil {
			byName[file] = &export.SourceFile{Name: file, Amounts: map[int32]profile.Amount{}}
			files = append(files, byName[file])
		}
		sum := byName[file].Amounts[site.Line]
		sum.Add(row.Amount)
		byName[file].Amounts[site.Line] = sum
	}
	slices.SortFunc(files, func(a, b *export.SourceFile) int { return strings.Compare(a.Name, b.Name) })
	return files
}

// noSource says that a name stands for nothing that allocated.
func noSource(r *recording, name string) error {
	methods := func(yield func(string) bool) {
		for i := range r.profile.Methods {
			if !yield(r.profile.Methods[i].Title()) {
				return
			}
		}
	}
	near := ""
	if nearest := profile.Nearest(name, methods); len(nearest) > 0 {
		near = "; did you mean " + strings.Join(nearest, ", ") + "?"
	}
	return fmt.Errorf("no method or class with line numbers in this recording matches %q%s", name, near)
}
