// Package portable makes programs that record themselves: a jar goes in, and one comes out whose classes count what
// they allocate and which writes a recording when its JVM ends, on any JVM, without an agent.
//
// The classes that count are those of package instrument, with the portable runtime class (runtime/portable) in place
// of the agent's. What the counters mean is known when the jar is made, so nearly all of the recording is: the jar
// carries it as a resource, [definitions], and the runtime adds counts.
//
//	app.jar                        app-counts.jar
//	  META-INF/MANIFEST.MF           META-INF/MANIFEST.MF      without digests of signed classes
//	  META-INF/APP.SF                                          a signature would not fit any more
//	  demo/Main.class                demo/Main.class           counts
//	  demo/logo.png                  demo/logo.png             as it was
//	                                 mallard/portable/x9d1.../ the runtime, and what counters mean
//
// The package of the runtime has a name of its own in each jar, so that several such jars in one JVM write a
// recording each.
//
// What is not a class is copied as it stands, compressed bytes and all. Nothing is unpacked to disk, and memory is
// bounded by the largest class and by what counters mean.
package portable
