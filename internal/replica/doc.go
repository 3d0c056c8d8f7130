// Package replica says which objects are copies: of one class, made by one site or in one context, with equal contents.
//
// In each pause the agent hashes what was born since the one before (package abi, "Events of replicas"). [Totals] adds
// up what walks have found: in the recorder, which writes them at the end and now and then before, and when a recording
// is read. An [Answer] puts what belongs together under one row.
//
//	events of walks ──Totals──▶ events of totals ──Reading──▶ Totals ──Ask, heap.History──▶ Answer
//
// Memory is bounded: a class with too many groups gets a level, from which on a uniform sample of its groups is kept,
// those whose hash has so many low bits that are 0, and besides those with most objects.
package replica
