// Package top shows on a terminal what a program allocates at the moment: rates, read again and again from a recording
// that is being written. What is read, and how rows are printed, is others'; here is what keys do.
package top
