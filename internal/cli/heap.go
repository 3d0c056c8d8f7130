package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"mallard/internal/export"
	"mallard/internal/heap"
)

// takesWhole reports whether a whole recording is read to tell rows apart, since that is where tags are explained.
func takesWhole(by heap.By) bool {
	return by == heap.BySite || by == heap.ByContext || by == heap.ByThread
}

func (p *program) heapCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "heap FILE",
		Short: "Print what was in the heap, and what was born and died there",
		Long: `Print what was in the heap of a recorded program ("mallard run --track objects"),
after any of its garbage collections, or at its end: objects that the collector had
not freed. Objects include arrays; bytes are those on the heap.

--at says when:

  end    at the JVM's end; of a recording that ends before, the last moment that is
         known: what the last pause has found
  gc:12  right after collection 12, as the JVM's log numbers it
  12.5s  after the last collection that began at or before that time; -10s is
         before the end of the recording

A recording of 4 MB and more is read from the last keyframe before the moments of --at,
--diff and --collections --from, if rows have no sites: answers come soon, and the line
Read says so. What is sure takes all of it, and is left out then.

Its first lines say what is sure by that moment, as if the recording ended there:

  Growing      what grows most, up to five: a straight line fits what the class held
               after collections, in all of the time and in its last half (R² at
               least 0.9, five collections), and it still goes on; and it is no
               garbage that waits in the old generation, as that was looked at in
               between. Held by: where references are recorded by then
  Nearly full  the last three full collections came for want of room, and left 90 %
  Bounded      what grew and then held the same after each full collection, for a
               third of the time and while as much of it was born again: a cache
  Premature    what was promoted, and for 90 % dead at the next full collection
  Humongous    what G1 gives regions of its own, if a tenth of collections came of it
  Churn        95 % of what was born died in its first collection, and what most of
               it was

No such line does not mean that there is nothing: see --growth, --premature, --churn.

--by tells rows apart: by class; space (eden, survivor, old, and humongous with
G1); generation (young, old; what is humongous is old); age (young collections
that objects have come through; old ones have none); site; context; loader; thread;
or several of these. Memory that is no object has the row (unused), from JDK 19 on; before it is
counted as int[].

--by site has a row for each class and site that has made objects of it, which they
know themselves ("run --track sites,objects"), unless that was switched off with
--no-tags. What has no site is named by how many there are that may have made it, or
by the only one: the JVM made some before the program began, and some have lost it.
It goes with --diff, --moved, --lifetimes, --churn, --growth, --retained, --dominators and
--paths. So does --by context, which has the callers as well ("run --track
contexts,objects").

Classes of one name from several class loaders are told apart: their rows say which
one, with its number in the recording (app @2; field "loader" in JSON and CSV). --by
loader has one row for all classes of a loader, --by loader,class one for each, and
--retained --by loader says what would be free without a loader, all its classes and all
their objects: why loaders are not unloaded. In paths it is a number behind the class:
demo.Plugin@5.kept. In the first lines, and in --growth unless --by says loader, classes
of one name are one, since what is loaded anew again and again grows by loaders.

--by thread has one row for all objects that a thread has made, --by thread,class one for
each class. With contexts ("run --track contexts,objects") objects know it; with sites
("run --track sites,objects") a site names it where threads of one name alone have counted
there, and all of them were recorded. What a virtual thread makes is its carrier's. The
others have one row, (unknown).

--diff A..B says what has changed from one moment to another ("start" is the one
before the first). Before + born - died = after, exactly, by class. Which of those
that are held after were born in between is not known. By space, generation or age
there is no column of what died: objects move.

--objects lists single objects, of "run --each-object": address, bytes, identity hash,
the collection before which each was born, how often collectors have moved it, the
collection that has promoted it, where it is, and its class; with --by site the site
that made it. Empty is what is not known.

--map says what is in each space, and with G1 in each old region: objects, bytes, what
is unused, and the class that has most of the bytes.

--premature says of each class what was promoted, and what of that was dead when a
collection looked at it for the first time behind that: it need not have been promoted.
What none has looked at may be dead as well. Where not all is known of single objects
a line says how far it may be off. Needs "run --each-object".

--collections has a row for each pause: how long the program stood still, without the
time that the walk of the heap took, what was born since the one before, what died
in it, what it promoted to the old generation and what survived in the young one, and
what is held behind it, in bytes, or with --sort objects in objects. Of mixed and full
collections promoted is the least that it can be: where some objects of a class died,
the old ones are taken to live.

--moved says of one collection what lived through it, by class: what it had to copy, or
a full one to mark. That, not garbage, is what makes a collection expensive; where others
moved as much and took less than half the time, that is said. The collection is that of
--at gc:N, or the one that stopped the program longest. What survived in the young
generation, was promoted, and was old before has columns; humongous objects stay where
they are.

--lifetimes says how many collections objects come through: the share that the
first one found dead (First%), and what half of them, and 90 %, at most come through.
>=3 says that more is not known: they were promoted then, or seen alive last. Of
the objects of a class those that are promoted are taken to be the oldest, and so
are those that a full or mixed collection leaves alive. Objects that were born
old are left out, humongous ones are not. Of "run --each-object" each object is
followed by itself, and nothing is taken to be so: 2+%, 4+% and so on are the shares
that come through as many (Kaplan and Meier), and Median and 90% are there in seconds
and in bytes allocated meanwhile, too: from the collection before which an object was
born to the one that found it dead, which looks at old objects seldom.

--churn ranks what the first collection behind an object's birth found dead.

--growth fits a line through the size of a class after each full collection, or after
all collections where fewer than three were full: its slope, how well it fits (R²,
1 is a straight line), and the share of the objects born that is still there at the end.

--removed compares what sites counted with what was born, by class. Objects that were
counted and never born were removed by compilers (escape analysis, boxes). Objects that
were born and not counted (Uncounted) were made by the JVM or native code; of a class
with both only the difference is known. Classes have the names that sites know: several
hidden classes may share one. Before JDK 19 int[] is left out. Needs a recording with
sites or contexts that is complete, and whose objects do not know their sites
("run --no-tags"): with tags, compilers remove hardly any objects.

--format pprof is for "go tool pprof": inuse_objects/count and inuse_space/bytes of what
was in the heap at that moment. Frames are classes; --by site has the site that makes a
class call it, where that is known; what else --by says is in labels.

--format html is one page for a browser, which loads nothing else: the heap over time,
by class, with collections; what was held, was born and died in any span that is chosen
there; how long objects lived, by package and class; and where they lay at the moment
of --at, by space, and with G1 by region. Large recordings are thinned out, and the page
says how: at most 1,000 moments, 200 classes (or --top), 2,000 classes with lifetimes of
their own, 2,048 regions.

--retained says what each class's objects keep alive: what would be free if none of them
were there, those that another one of the class keeps alive counted once. --dominators
has single objects: those that no one object keeps alive, with what only they do, below
them those that have 5 % of all and more, and the last one that has nearly all of it
(Gathered in). --paths CLASS says what keeps the objects of a class alive: one of the
shortest ways to each from a static field, a thread, a local variable, a JNI reference,
or the JVM; classes may be a pattern. Needs "run --track objects --references end",
which is of the JVM's end, or --references 10m, which is of every ten minutes as well:
then --at chooses the last one by a moment, and a recording that is still written has
answers. Soft references and those of finalizers are followed last, weak ones are not:
what only they lead to is in neither --retained nor --dominators.

--check adds up: walks against what the JVM says is used, what was born against
what died and is held; single objects against these, against what they were before
they moved, and against their neighbours. It prints what does not add up, and fails if
there is anything.`,
		Example: `  mallard heap objects.mallard
  mallard heap objects.mallard --at gc:1 --by class,space --top 5
  mallard heap objects.mallard --at 2s --by age --format csv
  mallard heap objects.mallard --by site --sort objects
  mallard heap objects.mallard --diff gc:0..end --class 'demo.*'
  mallard heap objects.mallard --map
  mallard heap objects.mallard --collections
  mallard heap objects.mallard --collections --from 1s --to 3s
  mallard heap objects.mallard --moved --at gc:1
  mallard heap objects.mallard --lifetimes --sort objects
  mallard heap objects.mallard --churn
  mallard heap objects.mallard --growth --format json
  mallard heap objects.mallard --removed --class 'demo.*'
  mallard heap objects.mallard --format pprof -o objects.pb.gz
  mallard heap objects.mallard --by site --format html -o heap.html
  mallard heap references.mallard --retained
  mallard heap loaded.mallard --retained --by loader
  mallard heap references.mallard --dominators --top 5
  mallard heap references.mallard --paths 'demo.*'
  mallard heap objects.mallard --check`,
		Args:        oneRecording,
		Annotations: firstIsRecording,
	}
	flags := cmd.Flags()
	at := flags.String("at", "end", "the heap at this `MOMENT`: end, gc:N, or a time, e.g. 12.5s or -10s")
	by := addChoices(cmd, "by", "what a row stands for, one or several of these",
		option[heap.By]{"class", heap.ByClass},
		option[heap.By]{"space", heap.BySpace},
		option[heap.By]{"generation", heap.ByGeneration},
		option[heap.By]{"age", heap.ByAge},
		option[heap.By]{"site", heap.BySite},
		option[heap.By]{"context", heap.ByContext},
		option[heap.By]{"loader", heap.ByLoader},
		option[heap.By]{"thread", heap.ByThread})
	sort := addChoice(cmd, "sort", "sort rows by this, largest first",
		sorts...)
	top := flags.Int("top", 0, fmt.Sprintf("print the first `N` rows, 0 for all (default %d in text, all in other "+
		"formats)",
		textRows))
	format := addChoice(cmd, "format", "form of the answer", heapForms...)
	verbose := flags.BoolP("verbose", "v", false, "print all there is to say about the numbers above them")
	destination := addDestination(cmd)
	class := flags.String("class", "", "only these `CLASSES`, e.g. String, 'byte[]', org.foo, 'java.util.*'; several "+
		"are separated by commas")
	diff := flags.String("diff", "", "print what has changed between two `MOMENTS`, e.g. gc:3..end or start..-10s")
	addHeapQuestions(flags)
	span := addSpan(cmd, "collected", "with --collections, the pauses that began then")
	completeFlag(cmd, "at", []string{momentEnd, "gc:0", "10s", "-10s"})
	completeFlag(cmd, "top", nil)
	completeFlag(cmd, "class", nil)
	completeFlag(cmd, pathsFlag, nil)
	completeFlag(cmd, "diff", []string{"start..end", "gc:0..end"})
	p.bound.addFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *top < 0 {
			return usagef("--top: %d is not a number of rows, 0 or more", *top)
		}
		question, err := chosenHeapQuestion(cmd, by.values)
		if err != nil {
			return err
		}
		if format.value.picture != nil {
			if err := checkPicture(cmd, format.word, question, by.values); err != nil {
				return err
			}
		}
		if !flags.Changed("top") && format.word == "text" && (question == nil || question.rows != timeRows) {
			*top = textRows
		}
		query := heap.Query{By: by.values, Sort: sort.value, Top: *top, Class: *class}
		if question != nil && question.flag == pathsFlag {
			query.Class, _ = flags.GetString(pathsFlag)
		}
		var when moments
		switch {
		case question != nil && question.rows == timeRows:
			when, err = momentsOf(span), span.check()
		case question != nil && question.answer != nil:
		case flags.Changed("diff"):
			when, err = parseMoments("diff", *diff)
		default:
			when = moments{moment{"at", *at}, moment{"at", *at}}
			err = when.to.check()
		}
		if err != nil {
			return err
		}
		output, err := destination.name(p, format.word, args[0])
		if err != nil {
			return err
		}
		open := p.openHeap
		if question != nil && question.references != nil && flags.Changed("at") {
			open = func(name string) (*heapRecording, error) { return p.openHeapWith(name, true) }
		}
		part := (question == nil || question.part) && !slices.ContainsFunc(query.By, takesWhole)
		if part && format.word != "html" &&
			(flags.Changed("at") || flags.Changed("diff") || span.given()) {
			open = func(name string) (*heapRecording, error) { return p.openHeapFor(name, when) }
		}
		r, err := open(args[0])
		if err != nil {
			return err
		}
		if query.Span, err = span.of(clockOf(r.profile)); err != nil {
			return err
		}
		if question != nil && question.rows == nameRows {
			if err := r.needsSites(); err != nil {
				return err
			}
		}
		if err := r.tellApart(&query, question); err != nil {
			return err
		}
		flag := "class"
		if question != nil && question.flag == pathsFlag {
			flag = pathsFlag
		}
		none := r.checkClass(flag, query.Class)
		if none != nil && format.word != "json" && format.word != "csv" {
			return none
		}
		var report *export.HeapReport
		write := func(w io.Writer) error {
			if *verbose && format.word == "text" {
				return report.VerboseText(w)
			}
			return format.value.report(report, w)
		}
		switch {
		case format.value.picture != nil:
			write, err = r.draw(format.value.picture, when.to, query)
		case question != nil && question.moment != nil:
			report, err = question.at(when.to, flags.Changed("at"), r, query)
		case question != nil && question.references != nil:
			report, err = question.by(p, when.to, r, query)
		case question != nil:
			report, err = question.answer(p, r, query)
		case flags.Changed("diff"):
			report, err = r.diff(when, query)
		default:
			report, err = r.held(when.to, query)
		}
		if err != nil {
			return fileError(r.name, err)
		}
		return cmp.Or(destination.write(p, output, write, r.recording), none)
	}
	return cmd
}
