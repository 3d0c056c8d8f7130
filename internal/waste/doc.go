// Package waste tells which objects of a recording a program could do without: boxes, copies, arrays that were too
// small, and others of kinds that names and code tell apart. Each object is of one kind at most, so sums are right;
// most are of none.
//
// What an object is follows from its site and, where contexts were tracked, from the calls that led there:
//
//	java.lang.Integer at Integer.valueOf < App.main(App.java:7)                boxing, App.main(App.java:7)
//	byte[] at Arrays.copyOf < AbstractStringBuilder.ensureCapacityInternal     growth, of java.lang.StringBuilder
//
// Without contexts a site in the JDK is all there is; what cannot be told by it is left out, or named by what it is.
// Nothing is looked up in the program: whether an object is needed nobody knows.
package waste
