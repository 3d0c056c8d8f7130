/* Pieces of the young generation, which several threads read. */
#ifndef MALLARD_PIECES_H
#define MALLARD_PIECES_H

#include "reader.h"

/* VMInit. Starts as many threads as there are processors for, for what is born in eden. False: there is no memory. */
bool start_pieces(new_heap_class *is_new);

/* Lists a piece, which has objects from beginning to end. False: there is no room.
 * Without a tally it is of what is born in eden, and any thread may read it. */
bool list_piece(uintptr_t from, uintptr_t to, struct goal g);

/* Has each thread call a function when no pieces are left, which reads what others have, or a part of it, and adds to
 * the reader. All together takes about as long as so many bytes of pieces. */
void list_others(void (*read)(struct reader *r), uint64_t bytes);

/* The threads begin. What is listed must not change until they have ended. */
void begin_pieces(void);

/* Reads, too, until all is read, and adds to what a reader has what the other threads have. */
void end_pieces(struct reader *r);

#endif
