// Package export writes what package profile found: reports as text, JSON and
// CSV, facts about a recording as text and JSON, and profiles for other tools.
// It computes nothing but shares of a whole, and opens no files.
//
// For example, a report on a program that made 40 objects:
//
//	Total       40 objects, 960 bytes
//	Losses      none
//
//	Objects   Obj%  Bytes  Byte%   Cum%  Class       Site
//	     30   75.0    720   75.0   75.0  demo.Point  demo.Main.main(Main.java:7)
//	     10   25.0    240   25.0  100.0  int[]       demo.Main.main(Main.java:9)
package export
