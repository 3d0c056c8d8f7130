// Package heap says what was in a program's heap: which classes' objects, where, how old, and what was born and died
// between garbage collections.
//
// While the world is stopped the agent reads what is new in the heap since the last pause, a walk (package abi,
// "Events of the heap"). One walk by itself is no heap. Two that follow each other are what a pause has done:
//
//	          walk n                       pause n                      walk n+1
//	  rows: born since n-1      finish: what was collected       rows: moved by pause n
//	            │                          │                            │
//	heap after  ▼  heap that pause n       ▼                            ▼  heap after
//	pause n-1 ──+──▶ has found ──────── − gone ──────────────────── + moved ──▶ pause n ──+──▶ ...
//
//	died in pause n = gone − moved, by class
//
// A [History] keeps the events as they were recorded, and replays them for each question:
//
//	[]*trace.Events ──NewHistory──▶ [History] ──replay, one heap in memory──▶ Held, Diff, Lifetimes, Growth, Check
//
// Objects know the site that made them (package abi, "Tags of objects"). [History.BySites] is the same history with a
// class for each site: what one class and one site have made. Classes of one name from several loaders are several,
// but in [History.ByNames]. [History.Apart] tells apart, or puts together, what a question asks for.
//
// Keeping a heap, or what differs, for each pause would take pauses times classes: 10,000 pauses of 5,000 classes are
// 50 million rows of 24 bytes. As events each class that a pause has touched takes some five bytes, and a replay reads
// some five million rows in a second.
package heap
