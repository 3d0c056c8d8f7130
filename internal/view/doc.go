// Package view serves a page about a recording to a browser on the same machine: what it asks for of trees, tables,
// lines and times, in pieces that are small however large the recording is. The page itself, and how a part of it
// looks, is package export's.
//
// A Recording is a profile laid out flat, so that what a filter and a span of time select is summed in one pass over
// all contexts (selection). Frames are made of it when they are asked for, the largest first, up to a bound (Piece).
package view
