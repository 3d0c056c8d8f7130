// Package budget holds a recording against limits that its user has set. A rule is a line of a file,
//
//	max 1 MB under com.shop.Order.total
//	max 0 objects class java.lang.Integer mine 'org.foo.*'   # boxes
//
// and its result is what was allocated, by how much that is over the limit, and the line that allocated most of it.
package budget
