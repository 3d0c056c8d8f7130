// Package diff says what two sides allocated differently, each of one or more recordings: the program before and after
// a change, or with one input and with another. It takes the rows that package profile gives of each recording, finds
// out which of them stand for the same thing, and says of each how much it changed and whether that is more than what
// recordings of one side differ by.
//
//	A: demo.Main.run line 7    100 objects       B: demo.Main.run line 9    100 objects    the same, 2 lines down
//	   demo.Main.run line 12    40 objects          demo.Main.run line 8      5 objects    new
//	                                                demo.Main.run line 14    90 objects    +50
//
// # What is the same
//
// Names are compared without what the VM numbers at run time (see [names]), in recordings of one side and of both. Of
// one side nothing else is left out: its recordings are of one program, where line and bytecode index say which site is
// which.
//
// Between the sides code may have changed, which moves lines, and numbers that compilers give to lambdas, anonymous
// classes and accessors. A class, with all classes inside it, is taken to be unchanged where recordings of both sides
// know the same sites of it, those that allocated nothing included (see [code]); there a site is the one at the same
// line and bytecode index, or none. In all others rows are grouped by what is left of their names without such numbers,
// and the rows of a group are paired in order of their lines (see [align]). A method that was renamed is gone and new,
// and so is one whose parameters changed.
//
// Contexts are trees: from the outside in, the calls of frames that are the same are paired in this way.
//
// # What is noise
//
// A change counts where it is larger than the spreads of both sides together, see [Values.IsSure].
package diff
