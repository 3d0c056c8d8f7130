// Package jfr writes the files of JDK Flight Recorder, as far as a profile needs that: one chunk, with a type of event,
// constant pools and stack traces.
//
//	header     68 bytes: version, sizes, offsets of the metadata and of the last checkpoint, times
//	metadata   an event of type 0: strings, and a tree of elements that says what types have which fields
//	events     size, type, fields
//	checkpoint events of type 1: the values of constant pools by type and key; each leads to the one before
//
// There is no specification. That is how jdk.jfr.internal.consumer of OpenJDK 17 and 25 reads files (ChunkHeader,
// ChunkParser, MetadataReader, ParserFactory); the names of types and fields are those that `jfr metadata` prints of a
// recording of the JVM's own. Integers have seven bits to a byte, the lowest first, and a ninth byte has all eight.
package jfr
