package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mallard/internal/observe"
	"mallard/internal/observe/registry"
)

// Topics are commands that have nothing to run: help lists them apart.

func (p *program) formatsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "formats",
		Short: "The forms of reports: fields, units, what null means",
		Long: `Reports have three forms. Text is for readers and may change; scripts use JSON
or CSV.

JSON ("mallard report --format json", "mallard export --format json"):

  schema        mallard.report/1; fields may be added to it, not changed
  file          the recording
  filters       by, sort, top, class, method, thread, under, transaction; null
                where there is none; with --over-time also every, in seconds, or
                every_bytecodes where intervals are in bytecodes
  totals        objects, bytes: everything recorded
  selected      objects, bytes: what passed the filters, before top
  unattributed  objects, bytes: allocated at no known site; null if unknown
  losses        a list of kind, count, detail: what the recording lacks
  rows          a list, largest first, names in order where sizes are equal

A row has, as they apply:

  class         the allocated type in Java's words: java.lang.String, int[][]
  site          class, method, descriptor, line (-1 unknown), bci (bytecode
                index); by method without line and bci, by
                caller without bci
  element       by element: what the arrays hold, a basic type or reference
  loader        the class loader, only where one name was loaded twice
  stack         by context: the frames, innermost first, each with class, method,
                line (-1 unknown), bci (-1 unknown) and, if it is so, native; the
                first is the site, the others are at the calls. Frames that the
                JVM hides are left out. [unknown] has no class: what called is
                not known. Nor has a transaction, whose method is its name in
                brackets
  thread        the Java thread that ran; virtual threads appear as their
                carrier, marked (carrier)
  threads       by thread: how many threads have that name
  transaction   by transaction, and in exports of contexts: the name of the
                innermost one; absent for what was done in none
  program       by program: name (main class, jar or module), pid, file (the
                recording, "" for the one that is read), started, seconds
  self_objects, self_bytes
                by caller: of objects and bytes those that no other line of
                one's own code that was called from there has led to
  sizes         by transaction, of those that have ended: count; measured, those of
                which the JVM said what they allocated; jvm_bytes, that in all;
                p50_jvm_bytes, p90_jvm_bytes, p99_jvm_bytes, max_jvm_bytes, of one
                ("mallard help transactions"); null where none was measured
  objects       objects, arrays among them
  bytecodes     where they were counted, by method, thread, context and
                transaction, and over time: how many were executed; a context
                has a row without class for them. In totals and selected too
  objects_per_1000_bytecodes, bytes_per_1000_bytecodes
                what was allocated for a thousand of them
  bytes         bytes on the heap, headers and alignment included; null if
                the recording does not give the size
  elements      for arrays: the sum of their lengths
  from, to      with --over-time: seconds since the start; rows are in order of
                time
  clock         with --over-time: local time at from, with zone
  meanwhile     with --over-time: names of what observers saw happen then
  from_bytecodes, to_bytecodes
                where snapshots were taken by bytecodes: how many classes of the
                program had executed
  objects_per_second, bytes_per_second
                with --over-time: what that is in a second, in JSON

CSV has the same fields by the same names, nested ones joined by a dot, in a
header line; a stack is one field, its frames as Java prints them joined by
semicolons. What does not apply or is unknown is empty. A name that begins with
=, +, - or @, which a spreadsheet would run, has an apostrophe in front, and
characters that cannot be printed are replaced (U+FFFD).

JSON of "mallard heap":

  schema        mallard.heap/1; fields may be added to it, not changed
  file          the recording
  question      held, diff, objects, map, premature, collections, moved, lifetimes,
                churn, growth, removed, retained, dominators, paths or check
  at            held, objects, map, moved, and questions about references: the moment,
                with state (after a collection;
                end: the JVM's;
                unfinished: before the collection in which the recording ends;
                running: between collections, of references),
                collection (its number in the JVM's log; null: none) and time
                (seconds since the start)
  from, to      diff: the two moments; the first may have the state start
  filters       by (a list), sort, top, class
  totals        objects, bytes: held, all that was in the heap; churn, all that a
                collection has come to; removed, what was counted; objects and
                map, all there; premature, what was promoted; moved, what lived
                through the collection
  selected      objects, bytes: what passed the filter, before top
  uncounted     removed: objects, bytes: born and not counted
  unused_bytes  held: bytes between objects, as far as they are known
  verdicts      held, where something is sure: a list of verdict (growing, bounded,
                premature, churn, humongous, nearly_full), text, figures (those in
                the text), and as they are known class, the site that makes it, and
                held_by, a path, where references are recorded
  growing       the first verdict of growing, with class, bytes_per_second,
                r_squared, stayed_percent and after as in growth, site and held_by
  cost          moved: cause, null where it is not known; stopped, for how many
                seconds that collection stopped the program, and all_stopped, the
                sum of all collections; moved_more, how many others of its kind
                moved as much and more, and usually_stopped, their median, null
                without any
  references    retained, dominators, paths: complete, and missing_references, those
                that lead nowhere; objects and bytes, by what keeps them alive:
                strong, soft, finalizer, unknown (its references are missing);
                garbage is held, but there is no way to it; pause_seconds is how long
                the program stood still
  sited_bytes
                by site: bytes whose site is known: of held, of what is held after
                (diff), of lifetimes, of churn, of growth
  after         growth: the collections that it looks at, full or all
  unknown       of single objects, how many, where there are any: all_but_class,
                births, ends, identities; premature: promoted and premature, how
                many more there may be at most (no premature: any number)
  missing_events
                that were lost, or damaged, up to that moment: above 0 nothing
                is exact
  losses        as in reports
  rows          a list, in order

and in a row, as they apply:

  class, space, generation, age
                what it stands for, as --by says; age is null for old objects;
                (unused) is no class: it has null objects
  site          by site: the one that has made the objects, as in reports; null where
                that is not known
  stack         by context: where they were made, as in reports; null where that is not
                known
  sites         by site: how many have counted objects of the class; with 1 and no
                site, more were born than it has counted; null for what is no class
                of the program's
  objects, bytes
                held: what is there; lifetimes: what a first collection has come
                to; churn: what it found dead
  objects_percent, bytes_percent
                held: of totals; churn: of selected
  difference_objects, before_objects, after_objects, born_objects, died_objects,
  and the same with bytes
                diff: difference is after - before; died is there by class only
  collection, start, collected, stopped
                collections: its number in the JVM's log, seconds, what it has
                collected (young, full, nothing; end and unfinished as in at), and
                for how many seconds it stopped the program
  survived_bytes, promoted_bytes, old_bytes, and the same with objects
                moved: in the young generation, to the old one, and old before
  born_bytes, died_bytes, promoted_bytes, survived_bytes, held_bytes
                collections: or the same with objects, as sort says; null where
                what it did is not known
  died_first_percent
                of the objects that a first collection has come to
  median, age_90
                lifetimes: collections that half of the objects, and 90 %, at
                most come through, and at_least: true where more is not known;
                in CSV 3 or >=3
  median_seconds, age_90_seconds, median_allocated, age_90_allocated
                lifetimes of single objects: the same in seconds, and in bytes
                allocated meanwhile
  survive_2_percent, survive_4_percent, survive_8_percent, survive_16_percent
                lifetimes of single objects: the share that comes through as many
                collections; null where that is not known
  bytes_per_second or objects_per_second, r_squared
                growth: of the line; r_squared is null where all is alike
  held_objects, held_bytes, stayed_percent
                growth: held after the last of the collections, and what share
                that is of the objects born until then
  removed_objects, counted_objects, born_objects, uncounted_objects, and the same
  with bytes, removed_percent
                removed: what was counted and never born, and the share of the
                objects counted that these are; bytes but those born are null
                where the recording does not give the size
  retained_objects, retained_bytes, retained_percent
                retained, dominators: what would be free, and its share of the
                bytes that are strongly held
  depth, stands_for, gathers
                dominators: 0, or how far below one that no other dominates; of
                a java.lang.Class, the class; and the class of the last object
                below that retains nearly all of it, or null
  strength      paths: strong, soft or finalizer
  root, path    dominators, paths: a static field, or another root, and a list of
                fields from there; in CSV path is all of it
  address, bytes, hash, born, moves, promoted, region
                objects: where it is and how large; its identity hash, null where
                it has none yet; the number of the collection before which it was
                seen first; how often collectors have moved it; the collection
                that has promoted it, null: none, or it is not known; G1's region
                where it is old
  unused_bytes, largest_bytes
                map: bytes between objects; bytes of the class that has most
  premature_objects, promoted_objects, looked_objects, and the same with bytes,
  premature_percent
                premature: found dead by the first collection that looked at
                them behind their promotion; all that were promoted; those that
                one has looked at; the share of the bytes promoted
  walk, collection, what
                check: what does not add up, and where

JSON of "mallard diff":

  schema        mallard.diff/1; fields may be added to it, not changed
  a, b          the sides: files; program and jvm, of the first one; seconds that each
                ran; units, with --per, how many each has, by which it is divided
  different     what makes the sides different besides: program, JVM, what was recorded
  filters       as in reports, with min and all
  unit          second, transaction, the number that amounts are divided by, or unit
                where each side has its own; null: they are not divided
  totals, selected
                as in a row: everything recorded, and what passed the filters
  rows_same     rows that did not change, by what rows are sorted by
  within_noise  rows, change_objects, change_bytes: how many rows changed within the
                noise, and their sums; null where there is one recording of each side
  below_min     the same of rows that changed by less than min
  losses        a list: kind of file
  rows          a list, the largest change first; with --all those of the three above
                are among them

A row has class, site, stack, loader, thread, transaction and element as in reports, as B
has it, or A where B does not, and:

  state         new or gone: the other side does not know it; began or ended: a site that
                both know, and that allocated nothing on one side; moved: at another
                line, or by another name, or what called it is; both
  was           moved: class, site and so on, as A has it
  sure          whether the change is beyond the noise; null where that is not known
  a_objects, b_objects, change_objects, and the same with bytes
                means of the recordings of each side, and b - a
  noise_objects, noise_bytes
                the spreads of both sides (largest less smallest), added, and doubled
                where one has fewer than four recordings; of a side with one recording
                that of the other; null where neither has more

Counts are exact unless a loss says otherwise. A recording that was cut short
(complete is false in "mallard info --format json") is exact except for methods
still on a stack: what methods that were still running had counted ahead or not yet counted.`,
	}
}

func (p *program) tracksTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "tracks",
		Short: "What a recording can hold, and what it costs",
		Long: `"mallard run --track" takes a list of what to observe, separated by commas.

` + aboutObservers(registry.New()) + `
--placement says where counters go:

  optimal     as few increments as can be expected from the control flow; where
              a program runs otherwise, counters are placed again while it runs,
              unless --no-adapt says not to
  ducktracks  paths as in the DuckTracks paper, hot path first
  site        one counter at each site, right after the allocation succeeded:
              the slowest, and exact through exceptions by itself`,
	}
}

// aboutObservers is what observers say of themselves: those that --track names as a list, the others by their flags.
func aboutObservers(set *observe.Set) string {
	var tracked, others strings.Builder
	for _, d := range set.Definitions() {
		if d.Choice != observe.Tracked {
			fmt.Fprintf(&others, "\n%s\n", d.About)
			continue
		}
		name := "  " + d.Name
		if len(name) >= aboutColumn { // the text begins on the next line
			tracked.WriteString(name + "\n")
			name = ""
		}
		fmt.Fprintf(&tracked, "%-*s", aboutColumn, name)
		for i, line := range strings.Split(d.About, "\n") {
			if i > 0 && line != "" {
				tracked.WriteString(strings.Repeat(" ", aboutColumn))
			}
			tracked.WriteString(line + "\n")
		}
	}
	return tracked.String() + others.String()
}

// aboutColumn is where the texts of observers begin that --track names.
const aboutColumn = 10

func (p *program) transactionsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "transactions",
		Short: "Names that a program gives to what it does",
		Long: `A program that is recorded with contexts ("mallard run --track contexts") may say
what it is doing:

  mallard.Context.begin("order");
  try {
      handle(request);
  } finally {
      mallard.Context.end();
  }

What its thread allocates between the two is in the transaction "order", whatever it
calls; "mallard apijar" prints the jar with the class. Transactions may be inside
each other, and inside one of the same name. One ends at the latest with the
invocation that began it, by return or by an exception: so end belongs to the method
that begin is in, and an end without a begin in the same invocation does nothing. Other
threads are in no transaction but their own; a virtual thread keeps its own whatever
carries it.

Interceptors, filters and listeners are called before something is done and once
more behind it, and return in between. There the thread enters a transaction:

  boolean preHandle(...)        { mallard.Context.enter("order"); return true; }
  void    afterCompletion(...)  { mallard.Context.exit("order"); }

What the thread allocates from one to the other is in "order", whichever method does
it: also what their caller itself makes. No invocation ends it: exit leaves the
innermost transaction of that name that the thread has entered, with those inside it
that were forgotten, and the end of the thread leaves all. A thread may be in sixteen
at a time; entering more does nothing, and the recording has a loss that says so. What
methods begin is inside what their thread has entered, and frames of the latter are the
outermost of all in stacks. With --contexts tree the program stops for a moment when a
thread enters the first.

All of these are to be called directly: by a method reference, by reflection or by
what languages with dynamic calls make of a call they do nothing. Without Mallard,
without contexts and in hidden classes they do nothing either. A call takes about as
long as finding a name in a table; a new name, or a name in a new context, is asked
for once. Jars made by "mallard instrument --track contexts" have all of this, from
methods of their own classes; with a placement other than site, what the callers of
enter and exit count on paths is where the counter is.

Where the program is not to be changed, run says what transactions are (and tracks
contexts):

  mallard run --transaction-at Shop.order -- java ...

  Shop.order              each invocation of the method, whatever its parameters; the
                          name is Shop.order. The class may have its package
                          before it, and both may have *
  Shop.order(2)           the name is its second argument: a string, a number, an enum
                          constant or a class; of other objects the class
  Shop.order(1.getKind)   the name is what a method of that argument gives, which has
                          no parameters and gives a string; it is called, in the
                          program, each time
  servlets                HTTP requests, by verb and path of the servlet: "GET /cart".
                          Paths that have numbers in them are many names: take
                          spring or jax-rs for such programs
  spring, jax-rs          methods with annotations for requests: "GET /orders/{id}"
  junit                   tests of JUnit 3 to 5 and TestNG: "ShopTest.adds"
  main                    each time round of the outermost loops of a main method:
                          "Main.main:12", the line where the loop begins. Where the
                          loop's condition does not hold any more is none

Several stand between commas, or each behind a flag of its own. What a method calls
that begins the transaction that it is in already, as one that calls itself does,
goes on in that. They end with the invocation, by return or by an exception.
Constructors cannot be transactions, nor methods without code; in abstract methods
the pattern is to name the classes that have it: *.Handler.handle does not find what
implements it.

  mallard report --by transaction FILE         a row for each name
  mallard report --transaction order FILE      only what was done in such ones, and
                                               in others inside them
  mallard report --format tree FILE            with frames [order], as in flame graphs
                                               and in stacks: outside the method
                                               that began the transaction
  mallard export --format pprof FILE           with the label "transaction"
  mallard diff --per transaction A B           what changed, for each of them

Of transactions that have ended a row says how many there were (Count) and what each
has allocated in the mean (Bytes each): bytes that were counted, without transactions
inside it. p50, p90, p99 and Max are those of single ones: half of them, nine tenths,
99 of 100 have allocated so much at most, the largest so much. These come from the
JVM's own figures: with the transactions inside, without objects that compilers
removed, and but for Max within a sixteenth. The JVM has none for virtual threads.

There may be 4,096 names, of 256 characters; others are [other], which a loss says.
So a name is to be that of a kind of work, not of a customer.`,
	}
}

func (p *program) jvmsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "jvms",
		Short: "How Mallard gets into JVMs, and what of that a program can see",
		Long: `"mallard run -- COMMAND" has three ways into a JVM.

COMMAND is a launcher of a JDK, java, javac or another: it gets the agent as its
first argument. COMMAND is anything else: it may start JVMs itself, or programs
that do.

  shims       The launchers that PATH leads to, and the JDKs and launchers that
              variables name (JAVA_HOME, JRE_HOME, JAVACMD, all with JAVA, JDK or
              JRE in the name), are replaced with stand-ins below Mallard's cache.
              A shim becomes the launcher, which gets the agent as an argument.
              Everything else in a JDK is linked there. --no-shims leaves PATH and
              variables as they are.
  processes   What a recorded JVM starts as a java.lang.Process is started as
              COMMAND is: a launcher gets the agent as an argument, wherever it
              is and whatever its environment; anything else gets the shims and
              the variable.
  variable    JAVA_TOOL_OPTIONS reaches JVMs that are started by another path,
              such as those that a shell script or native code starts by the path
              of a JDK, as Maven's Surefire does (sh -c /usr/lib/jvm/.../java).
              Such a JVM says so on stderr before all else: "Picked up
              JAVA_TOOL_OPTIONS: ...". No option of the JVM turns that off.

What a program can see: these variables, MALLARD_TOOL_OPTIONS, the agent among the
JVM's arguments, the path of a shim where a script prints what it starts, and links
where it searches a JDK's folder. What only a shim can do: start a JVM without the
agent, with a line on stderr, where that JVM writes an archive of classes (CDS, an
AOT cache) or is for another machine. With JAVA_TOOL_OPTIONS such a JVM does not
start. A JVM that uses musl, and one of another user's unless mallard is root's,
run without Mallard in any case, with a line on stderr.

A shim takes some 5 ms. Once mallard has ended, shims start JVMs as they are.`,
	}
}
