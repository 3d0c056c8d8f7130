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
		Long: `Reports have three forms. Text is for people and may change; scripts should use JSON or
CSV.

JSON ("mallard report --format json", "mallard export --format json"):

  schema        mallard.report/1; fields may be added to it, not changed
  file          the recording
  filters       by, sort, top, class, method, thread, under, transaction; null if
                not given; with --over-time also every, in seconds, or
                every_bytecodes if intervals are in bytecodes
  totals        objects, bytes: everything recorded
  selected      objects, bytes: what passed the filters, before top
  unattributed  objects, bytes: allocated at no known site; null if unknown; of these
                vm_start, bytes that the JVM allocated before the first bytecode ran,
                which the first lines of text leave out
  losses        a list of kind, count, detail: what the recording lacks
  rows          a list, largest first, names in order where sizes are equal

A row has those of these fields that apply:

  class         the allocated class as Java writes it: java.lang.String, int[][]
  site          class, method, descriptor, line (-1 unknown), bci (bytecode
                index); by method without line and bci, by caller without bci
  element       by element: what the arrays hold, a basic type or reference
  loader        the class loader, if several classes have this name
  stack         by context: the frames, innermost first, each with class, method,
                line (-1 unknown), bci (-1 unknown) and native, if it is; the
                first is the site, the others are the calls. Frames that the
                JVM hides are left out. A frame without class is [unknown], an
                unknown caller, or a transaction, whose method is its name in
                brackets
  thread        the Java thread that ran; virtual threads appear as their
                carrier, marked (carrier)
  threads       by thread: how many threads have that name
  transaction   by transaction, and in exports of contexts: the name of the
                innermost one; absent outside transactions
  program       by program: name (main class, jar or module), pid, file (the
                recording, "" for the one being read), started, seconds
  self_objects, self_bytes
                by caller: the part of objects and bytes that no other line of
                your own code, called from this one, caused
  inclusive_objects, inclusive_bytes
                by method, with contexts: with what it called
  sizes         by transaction, of those that have ended: count; measured, how many
                have the JVM's figure; jvm_bytes, the sum of these figures;
                p50_jvm_bytes, p90_jvm_bytes, p99_jvm_bytes, max_jvm_bytes, of single
                ones ("mallard help transactions"); null if none was measured
  objects       number of objects, including arrays
  bytecodes     if they were counted, by method, thread, context and transaction,
                and over time: number executed; a context has a row without class
                for them. Also in totals and selected
  objects_per_1000_bytecodes, bytes_per_1000_bytecodes
                allocated per 1,000 bytecodes
  bytes         bytes on the heap, with headers and alignment; null if the
                recording does not have the size
  elements      for arrays: the sum of their lengths
  from, to      with --over-time: seconds since the start; rows are in order of
                time
  clock         with --over-time: local time at from, with zone
  meanwhile     with --over-time: events in the interval, such as collections
  from_bytecodes, to_bytecodes
                if snapshots were taken by bytecodes: how many classes of the
                program had executed
  objects_per_second, bytes_per_second
                with --over-time: rates, in JSON only

CSV has the same fields with the same names, given in a header line; names of nested
fields are joined by a dot. A stack is one field: frames as Java prints them, joined by
semicolons. Values that do not apply or are unknown are empty. Names that begin with =,
+, - or @, which a spreadsheet would evaluate, get a leading apostrophe, and unprintable
characters are replaced (U+FFFD).

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
  filters       by (a list), sort, top, class; paths: site
  totals        objects, bytes: held, objects, map: all in the heap; churn: all that
                some collection has reached; removed: what was counted; premature:
                what was promoted; moved: what survived the collection
  selected      objects, bytes: what passed the filter, before top
  uncounted     removed: objects, bytes: born and not counted
  unused_bytes  held: bytes between objects, as far as they are known
  verdicts      held, the findings if any: a list of verdict (growing, bounded,
                premature, churn, humongous, nearly_full), text, figures (those in
                the text) and, if known, class, the site that makes it, held_by (a
                path, if references were recorded) and transaction: those in which
                what grows is made; a figure is how much of it each keeps
  growing       the first verdict growing, with class, bytes_per_second,
                r_squared, stayed_percent and after as in growth, site and held_by
  cost          moved: cause (null: unknown); stopped, the seconds that the program
                was stopped by that collection, and all_stopped by all; moved_more,
                how many others of its kind moved at least as much, and
                usually_stopped, their median (null: none)
  references    retained, dominators, paths: complete, and missing_references, those
                that lead nowhere; objects and bytes, by what keeps them alive:
                strong, soft, finalizer, unknown (its references are missing);
                garbage is held, but not reachable; pause_seconds, how long the
                program was stopped
  sited_bytes
                by site: bytes whose site is known: of held, of what is held after
                (diff), of lifetimes, of churn, of growth, of what was born
                (removed)
  died, died_sited
                by site, where objects are tagged: objects, bytes that died up to that
                moment (held), in between (diff), in all (lifetimes, churn); and of
                these what the site is known of, at least
  after         growth: the collections that are used, full or all
  unknown       of single objects, how many, where there are any: all_but_class,
                births, ends, identities, addresses; premature: promoted and
                premature, how many more there may be at most (no premature: any
                number); removed by site: sites, of what was born nobody knows where
  missing_events
                lost or damaged up to that moment: above 0, nothing is exact
  losses        as in reports
  rows          a list, in order

A row has those of these fields that apply:

  class, space, generation, age
                what the row is, as --by says; age is null for old objects; the
                class (unused) is not one: its objects are null
  site          by site: the site of the objects, as in reports; null if unknown
  stack         by context: where they were made, as in reports; null if unknown
  sites         by site: how many have counted objects of the class; with 1 and no
                site, more were born than it has counted; null for what is no class
                of the program's
  objects, bytes
                held: what is there; lifetimes: what a first collection has
                reached; churn: what it found dead
  objects_percent, bytes_percent
                held: of totals; churn: of selected
  difference_objects, before_objects, after_objects, born_objects, died_objects,
  and the same with bytes
                diff: difference is after - before; died is there by class only
  stayed_objects, stayed_most_objects, and the same with bytes
                diff, by class: how many were held at both moments, at least and at
                most: the same number where that is known
  collection, start, collected, stopped
                collections: its number in the JVM's log, its time in seconds, what
                it collected (young, full, nothing; end and unfinished as in at),
                and for how many seconds it stopped the program
  survived_bytes, promoted_bytes, old_bytes, and the same with objects
                moved: in the young generation, to the old one, and old before
  born_bytes, died_bytes, promoted_bytes, survived_bytes, held_bytes
                collections: or the same with objects, as sort says; null if
                unknown
  died_first_percent
                of the objects that a first collection has reached
  cost          churn: seconds that young collections stopped the program, each
                shared by the bytes of eden that were allocated since the one before
  median, age_90
                lifetimes: collections that half of the objects, and 90 %, survive
                at most; at_least is true if more is not known; in CSV 3 or >=3
  median_seconds, age_90_seconds, median_allocated, age_90_allocated
                lifetimes of single objects: the same in seconds, and in bytes
                allocated meanwhile
  survive_2_percent, survive_4_percent, survive_8_percent, survive_16_percent
                lifetimes of single objects: the share that survives as many
                collections; null if unknown
  bytes_per_second or objects_per_second, r_squared
                growth: of the line; r_squared is null if all values are equal
  held_objects, held_bytes, stayed_percent
                growth: held after the last of the collections, and what share
                that is of the objects born until then
  removed_objects, counted_objects, born_objects, uncounted_objects, and the same
  with bytes, removed_percent
                removed: what was counted and never born, and the share of the
                objects counted that these are; bytes, except those born, are null
                if the recording does not have the size
  retained_objects, retained_bytes, retained_percent
                retained, dominators: what would be freed, and its share of the
                strongly held bytes
  depth, stands_for, gathers
                dominators: depth below an object that no other dominates; for a
                java.lang.Class, the class; the class of the last object below
                that retains nearly all of it, or null
  strength      paths: strong, soft or finalizer
  root, path    dominators, paths: a static field, or another root, and a list of
                fields from there; in CSV path is all of it
  address, bytes, hash, born, moves, promoted, promoted_age, region
                objects: address (null: not recorded, as events came too fast)
                and size; identity hash (null: none yet); the
                collection before which it was first seen; how often it was
                moved; the collection that promoted it, and how many young ones
                it had survived before (null: none, or unknown); G1's region if
                it is old
  unused_bytes, largest_bytes
                map: bytes between objects; bytes of the largest class
  premature_objects, promoted_objects, looked_objects, and the same with bytes,
  premature_percent
                premature: found dead by the first collection that examined them
                after their promotion; all that were promoted; those that were
                examined; the share of the bytes promoted
  walk, collection, what
                check: what does not match, and where

JSON of "mallard diff":

  schema        mallard.diff/1; fields may be added to it, not changed
  a, b          the sides: files; program and jvm of the first one; seconds that each
                ran; units, with --per: the number by which each is divided
  different     other differences between the sides: program, JVM, what was recorded
  filters       as in reports, with min and all
  unit          second, transaction, the number that amounts are divided by, or unit
                if each side has its own; null if they are not divided
  totals, selected
                as in a row: everything recorded, and what passed the filters
  rows_same     rows that did not change in what rows are sorted by
  within_noise  rows, change_objects, change_bytes: how many rows changed within the
                noise, and their sums; null with one recording per side
  below_min     the same for rows that changed by less than min
  losses        a list: kind of file
  rows          a list, the largest change first; --all includes rows of the three
                fields above

A row has class, site, stack, loader, thread, transaction and element as in reports,
from B or, if B does not have it, from A, and:

  state         new or gone: only one side has it; began or ended: a site of both that
                allocated nothing on one side; moved: it or its caller has another
                line or name; both
  was           moved: class, site and so on in A
  sure          whether the change is beyond the noise; null if unknown
  a_objects, b_objects, change_objects, and the same with bytes
                means of the recordings of each side, and b - a
  noise_objects, noise_bytes
                the sum of the spreads of both sides (largest minus smallest), doubled
                if one has fewer than four recordings; a side with one recording has
                the other's spread; null if both have one

Counts are exact unless a loss says otherwise. A recording that was cut short (complete
is false in "mallard info --format json") is exact except for methods that were still
running: they may have counted allocations ahead, or not yet.`,
	}
}

func (p *program) tracksTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "tracks",
		Short: "What a recording can hold, and what it costs",
		Long: `"mallard run --track" takes a list of what to record, separated by commas.

` + aboutObservers(registry.New()) + `
--placement says where counters are placed:

  optimal     where the control flow suggests the fewest increments. Counters are
              moved while the program runs if it behaves differently, unless
              --no-adapt is given
  ducktracks  on paths, as in the DuckTracks paper, hot path first
  site        one counter at each site, right after the allocation: the slowest,
              and exact with exceptions without corrections`,
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
		Long: `A program that is recorded with contexts ("mallard run --track contexts") can name what
it is doing:

  mallard.Context.begin("order");
  try {
      handle(request);
  } finally {
      mallard.Context.end();
  }

Everything that the thread allocates between the two calls belongs to the transaction
"order". The class is in the jar that "mallard apijar" names. Transactions can be
nested, also in one of the same name. A transaction ends at the latest when the method
invocation that began it returns or throws; end must be called in the same invocation
as begin, and does nothing elsewhere. Other threads are not part of a transaction. A
virtual thread keeps its own, whichever thread carries it.

Interceptors, filters and listeners are called once before and once after the work, and
return in between. For these there is a second pair, which belongs to the thread:

  boolean preHandle(...)        { mallard.Context.enter("order"); return true; }
  void    afterCompletion(...)  { mallard.Context.exit("order"); }

Everything that the thread allocates between enter and exit belongs to "order",
whichever method does it. Only exit ends it: it leaves the innermost transaction of
that name that the thread has entered, and all that were entered inside it. The end of
the thread leaves all. A thread can be in sixteen such transactions at a time; further
calls of enter do nothing, and the recording says so (a loss). Transactions that
methods begin are inside those that their thread has entered; frames of the latter are
the outermost of a stack. With --contexts tree the program pauses briefly when a thread
enters its first one.

These methods must be called directly. Calls through method references, reflection or
dynamic call sites (invokedynamic) do nothing, nor do calls in hidden classes, without
contexts, or without Mallard. A call costs about as much as a lookup in a hash table; a
new name, or a name in a new context, costs one question to mallard. Jars made by
"mallard instrument --track contexts" support all of this in methods of their own
classes; there, with a placement other than site, what the callers of enter and exit
count on paths is counted where the counter is.

Without changing the program, "mallard run" can say what transactions are (this implies
contexts):

  mallard run --transaction-at Shop.order -- java ...

  Shop.order              each invocation of the method, whatever its parameters, is a
                          transaction Shop.order. The class may have a package, and
                          both names may contain *
  Shop.order(2)           the name is the second argument: a string, a number, an enum
                          constant or a class; for other objects their class
  Shop.order(1.getKind)   the name is what this method of the first argument returns; it
                          has no parameters and returns a string. The program's own
                          thread calls it, each time
  servlets                HTTP requests, by verb and path of the servlet: "GET /cart".
                          Paths with numbers in them make many names: use spring or
                          jax-rs for such programs
  spring, jax-rs          methods annotated as request handlers: "GET /orders/{id}"
  junit                   tests of JUnit 3 to 5 and TestNG: "ShopTest.adds"
  main                    each iteration of the outermost loops of a main method:
                          "Main.main:12", with the line where the loop begins. The last
                          test of the loop's condition is not an iteration

Several are separated by commas, or by repeating the flag. A method that is called
inside its own transaction, as a recursive one is, does not begin another. A
transaction ends when the invocation returns or throws. Constructors and methods
without code cannot be transactions; instead of an interface or an abstract method,
name the classes that implement it, with * if need be.

  mallard report --by transaction FILE         a row for each name
  mallard report --transaction order FILE      only what was allocated in these, and in
                                               others inside them
  mallard report --format tree FILE            with frames [order], as in flame graphs
                                               and stacks, outside the method that began
                                               the transaction
  mallard export --format pprof FILE           with the label "transaction"
  mallard diff --per transaction A B           what changed per transaction

For transactions that have ended, a row has their number (Count) and what each
allocated on average (Bytes each), counted, without transactions inside it. p50, p90,
p99 and Max are about single transactions, and come from the JVM's own figures: they
include transactions inside, exclude objects that compilers removed, and are exact to a
sixteenth (Max is exact). The JVM has none for virtual threads.

There can be 4,096 names of up to 256 characters; all others are counted as [other],
and the recording says so (a loss). So a name should be that of a kind of work, not of
a customer.`,
	}
}

func (p *program) jvmsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "jvms",
		Short: "How Mallard gets into JVMs, and what of that a program can see",
		Long: `"mallard run -- COMMAND" has three ways into a JVM.

If COMMAND is a launcher of a JDK (java, javac or another), it gets the agent as its
first argument. Anything else may start JVMs, or programs that do:

  shims       The launchers on PATH, and the JDKs and launchers that variables name
              (JAVA_HOME, JRE_HOME, JAVACMD, all with JAVA, JDK or JRE in the name),
              are replaced with stand-ins in Mallard's cache. A shim becomes the real
              launcher, with the agent as an argument. Everything else in a JDK is
              linked to. --no-shims leaves PATH and the variables as they are.
  processes   What a recorded JVM starts as a java.lang.Process is treated as COMMAND
              is: a launcher gets the agent as an argument, whatever its path and its
              environment; anything else gets the shims and the variable.
  variable    JAVA_TOOL_OPTIONS reaches all other JVMs, such as those that a shell
              script or native code starts by the path of a JDK, as Maven's Surefire
              does (sh -c /usr/lib/jvm/.../java). Such a JVM first prints "Picked up
              JAVA_TOOL_OPTIONS: ..." on stderr. No option of the JVM turns that off.

With the agent comes -XX:MetaspaceSize=36m, where JVMs have 21m: instrumented classes
are larger, and none comes out of the JVM's archive, so metadata would be collected
before it is in the program without Mallard. The program's own setting holds.

What a program can see of it: these variables, MALLARD_TOOL_OPTIONS, the agent among
the JVM's arguments, the path of a shim where a script prints what it starts, and links
in the folder of a JDK. Only a shim can start a JVM without the agent, with one line on
stderr, where that JVM writes an archive of classes (CDS, an AOT cache) or is for
another machine. With JAVA_TOOL_OPTIONS alone such a JVM does not start. A JVM that
uses musl, or that of another user unless mallard is root's, always runs without
Mallard, with a line on stderr.

A shim takes about 5 ms. Once mallard has ended, shims start JVMs as they are.`,
	}
}
