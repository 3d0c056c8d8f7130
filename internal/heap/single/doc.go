// Package single follows single objects through collections. Each has an order, which it keeps for life: the first that
// was born has 1. It is in its identity hash ([Hash]), where no collector loses it.
//
//	events of a walk ──Walk.Add──▶ [Walk] ──Table.Arrive, Born──▶ [Table] ──Table.Leave──▶ those that a collection
//	                                              ▲                               moves, or that are dead
//	                                              └────────── the next walk ◀──────────────┘
//
// A walk says where objects are, and what each is of which class; package heap knows of collections, and what classes
// are called.
package single
