/* The observer of collections (package internal/observe/collections). */
#ifndef MALLARD_COLLECTIONS_H
#define MALLARD_COLLECTIONS_H

#include "observers.h"

extern const struct observer collections_observer;

#endif
