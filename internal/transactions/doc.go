// Package transactions says which methods of a program are transactions by themselves ("mallard run --transaction-at"):
// what users write, and what that comes to in a class file.
//
//	Shop.order             each invocation of it is a transaction of the name Shop.order
//	Shop.order(2)          the name is the value of its second argument
//	Shop.order(1.getKind)  or what methods of that give
//	spring                 methods with annotations, each named by its path
//
// What is put into their code is package instrument's.
package transactions
