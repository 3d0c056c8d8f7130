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

func (p *program) heapCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "heap FILE",
		Short: "Print what was in the heap, and what was born and died there",
		Long: `Print what was in the heap of a program ("mallard run --track objects") after any of
its garbage collections, or at its end: the objects that the collector had not freed.
Objects include arrays; bytes are those on the heap.

--at chooses the moment:

  end    the JVM's end; if the recording ends earlier, the last moment that is known:
         what the last pause found
  gc:12  right after collection 12, as numbered in the JVM's log
  12.5s  after the last collection that began at or before that time; -10s counts from
         the end of the recording

Recordings of 4 MB and more are read from the last keyframe before the moments that
--at, --diff and --collections --from name, unless rows have contexts or threads: the
answer comes sooner, and a line Read says so. The verdicts below need all of the
recording and are left out then. Sites are those that objects are tagged with, where no
contexts were recorded.

The first lines are verdicts, each only if it is sure at that moment:

  Growing      what grows most, up to five classes: a straight line fits what the
               class held after collections, over all of the time and over its last
               half (R² at least 0.9, five collections), it is still growing, and it is
               not garbage that waits in the old generation, which has been looked at
               in between. "Held by" follows where references have been recorded
  Nearly full  the last three full collections came for want of room, and left 90 %
  Bounded      grew, and then held the same after each full collection, for a third of
               the time and while as much was born again: a cache
  Premature    promoted, and 90 % dead at the next full collection
  Humongous    what G1 gives regions of its own, if it caused a tenth of collections
  Churn        95 % of what was born died in its first collection, and what most of
               that was

The lack of a verdict does not mean that all is well: see --growth, --premature,
--churn.

--by splits rows: by class; space (eden, survivor, old, and humongous with G1);
generation (young, old; humongous objects are old); age (the number of young
collections survived; old objects have none); site; context; loader; thread; or several
of these. Memory that is not an object has the row (unused) from JDK 19 on; before, it
counts as int[].

--by site has a row for each class and the site that made its objects. Objects
themselves carry their site ("run --track sites,objects"), unless --no-tags turned that
off. Where the site is not known, the row says how many sites may have made the
objects, or names the only one: the JVM makes some before the program begins, and some
lose their site. It can be combined with --diff, --moved, --lifetimes, --churn,
--growth, --retained, --dominators and --paths. The line At death gives the share of
the objects that died whose site is known, at least. --by context does the same with
callers ("run --track contexts,objects").

Classes with the same name from several class loaders have rows of their own, with the
loader and its number in the recording (app @2; the field "loader" in JSON and CSV).
--by loader has one row for all classes of a loader, --by loader,class one for each,
and --retained --by loader says what would be freed without a loader, its classes and
their objects: why loaders are not unloaded. In paths the number follows the class:
demo.Plugin@5.kept. In the verdicts, and in --growth unless --by has loader, classes
with the same name are added up, as what is loaded again and again grows by loaders.

--by thread has one row for all objects that a thread has made, --by thread,class one
for each class. With contexts ("run --track contexts,objects") objects carry their
thread. With sites alone the thread is known where only threads of one name have
counted at the site, and all of them were recorded. Objects of a virtual thread are its
carrier's. All others are in the row (unknown).

--diff A..B shows what changed between two moments ("start" is the one before the
first). By class, before + born - died = after, exactly. Stayed is how many objects were
held at both. That follows from sums where nothing was born, or nothing died; elsewhere
it is between two numbers, unless single objects tell ("run --each-object"). By space,
generation or age there are no columns for what died and stayed, as objects move.

--objects lists single objects ("run --each-object"): address, bytes, identity hash,
the collection before which each was born, how often it was moved, the collection that
promoted it, and its age then (the number of young collections survived before), where
it is, and its class; with --by site also its site. Empty means unknown, or before what
"run --keep" has kept.

--map shows each space, and with G1 each old region: objects, bytes, unused bytes, and
the class with most bytes.

--premature shows for each class what was promoted, and how much of that was dead when
a collection first looked at it afterwards: it need not have been promoted. What no
collection has looked at may be dead as well. Where single objects are not fully known
a line gives the largest possible error. Needs "run --each-object"; with "run --keep"
what was promoted before the kept part is not counted.

--collections has a row for each pause: how long the program was stopped, without the
time of the heap walk; what was born since the pause before; what died, was promoted to
the old generation and survived in the young one; and what is held afterwards. Amounts
are bytes, or objects with --sort objects. For mixed and full collections promoted is a
lower bound: if some objects of a class died, its old ones are taken to be alive.

--moved shows for one collection what survived it, by class: what it had to copy or, if
full, to mark. This, not garbage, makes a collection expensive; if others moved as much
in less than half the time, a line says so. The collection is that of --at gc:N, or the
one with the longest pause. Columns are: survived in the young generation, promoted,
and already old; humongous objects are not moved.

--lifetimes shows how many collections objects survive: the share that the first one
found dead (First%), and the number that half of them, and 90 %, survive at most. >=3
means that more is not known: they were promoted then, or last seen alive. Within a
class the oldest objects are taken to be those that are promoted, and those that a full
or mixed collection leaves alive. Objects that were born old are left out, except
humongous ones. With "run --each-object" each object is followed, and nothing is
assumed: 2+%, 4+% and so on are the shares that survive as many collections (Kaplan and
Meier), and Median and 90% are also given in seconds and in bytes allocated meanwhile,
from the collection before the birth to the one that found the object dead, which for
old objects may be much later. --from and --to choose what was born by pauses that began
then, whatever became of it later; without single objects what their collections were
the first to come to.

--churn ranks classes by what the first collection after an object's birth found dead,
with what is assumed as for --lifetimes, or, with "run --each-object", nothing; but
where walks have left objects out it assumes it too, and says so. Cost is for how long
young collections stopped the program, each shared by the bytes that were allocated in
eden since the one before, which made it necessary.

--growth fits a line through the size of a class after each full collection, or after
all collections if fewer than three were full: its slope, the quality of the fit (R²; 1
is a straight line), and the share of the objects born that is still there at the end.

--removed compares what sites counted with what was born, by class. Objects that were
counted and never born were removed by compilers (escape analysis, boxes). Objects that
were born and not counted (Uncounted) were made by the JVM or native code. If a class
has both, only the difference is known. Classes have the names that sites use: several
hidden classes may share one. Before JDK 19 int[] is left out. Needs a complete
recording with sites or contexts made with "run --no-tags": with tags, compilers hardly
remove any objects. --by site has a row for each class and site, whose objects carry
their site, or are of no other one: it says what was removed there for sure, and the
line Unknown how much more it may be, where it is not known which site made objects.

--format pprof is for "go tool pprof": inuse_objects/count and inuse_space/bytes at
that moment. Frames are classes; with --by site the site, where known, is the caller of
the class; whatever else --by has becomes labels.

--format html is one page for a browser, which loads nothing else: the heap over time,
by class, with collections; what was held, born and died in any span that is selected
there; how long what was born in it lived, by package and class; and the layout of the
heap by space, and with G1 by region, at the moment of --at and at any that is chosen
there. Large recordings are thinned out, and the page says how: at most 1,000 moments,
200 classes (or --top), 2,000 classes with lifetimes, 2,048 regions.

--retained shows what the objects of each class keep alive: what would be freed if none
of them existed; objects that several of the class keep alive count once. --dominators
shows single objects that no other single object keeps alive, with what only they keep
alive; below them are those with 5 % of all and more, and the last one that has nearly
all of it (Gathered in). --paths CLASS shows what keeps the objects of a class alive: a
shortest path to each from a static field, a thread, a local variable, a JNI reference,
or the JVM; CLASS may be a pattern, or a site: site:demo.Main.run is what a method
made, site:demo.Main.run:12 what its line 12 did. All three need "run --track objects
--references end", which records references at the JVM's end, or --references 10m,
which does so every ten minutes as well: then --at chooses among them, and a recording
that is still being written can be asked. Soft references and those of finalizers are
followed last, weak ones not at all: what only they reach is in neither --retained nor
--dominators.

--check verifies sums: walks against what the JVM says is used, births against deaths
and what is held, and single objects against both, what they were before (class, size,
tag) and their neighbours. It prints every contradiction, and fails if there is one.`,
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
  mallard heap objects.mallard --lifetimes --from 1s --to 3s
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
	by := addChoices(cmd, "by", "what a row stands for",
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
	span := addSpan(cmd, "collected", "with --collections, the pauses that began then; with --lifetimes, what was "+
		"born by them")
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
			pattern, _ := flags.GetString(pathsFlag)
			pathsOf(&query, pattern)
		}
		var when moments
		switch {
		case question != nil && question.span:
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
		part := question == nil || question.part
		drawn := slices.ContainsFunc(query.By, isTagged) && format.value.picture != nil
		if part && format.word != "html" && !drawn &&
			(flags.Changed("at") || flags.Changed("diff") || span.given()) {
			open = func(name string) (*heapRecording, error) { return p.openHeapFor(name, when, query.By) }
		}
		p.bound.garbage = heapGarbage
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
		none := cmp.Or(r.checkClass(flag, query.Class), r.checkSite(query.Site))
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
