// Package heapgraph says why objects are alive: what is reached from where, and what would be free without an object.
//
// The events are those of package abi, "Events of references": each object of a JVM's last moment that there is a way
// to, with what it refers to.
//
//	[]*trace.Events ──New──▶ [Graph] ──▶ [Reached]: the shortest way to each object ──▶ Paths
//	                                └──▶ [Dominators]: what each object retains ──▶ Retained, Tops
//
// Objects are numbers, in the order of their addresses. What is kept of each is a few numbers of 32 bits, so that ten
// million objects take less than a gigabyte.
package heapgraph
