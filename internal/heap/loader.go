package heap

import (
	"encoding/binary"
	"fmt"
	"math"

	"mallard/internal/abi"
)

// Loader is a class loader's number in a recording; the boot loader has 0.
type Loader int64

// NoLoader is that of classes of which it is not known.
const NoLoader Loader = -1

// LoaderTitle names a loader, and says whether the program has loaded classes of a name, in Java's words, by several.
type LoaderTitle func(class string, loader Loader) (title string, several bool)

// numbered names loaders where nothing else does.
func numbered(_ string, loader Loader) (title string, several bool) {
	return fmt.Sprintf("loader @%d", loader), false
}

// title names a loader, known or not.
func (name LoaderTitle) title(class string, loader Loader) (title string, several bool) {
	title, several = name(class, loader)
	switch loader {
	case NoLoader:
		title = "(unknown)"
	case 0:
		title = "bootstrap"
	}
	return title, several
}

// loaders are those of the classes that a recording names, by their numbers in it.
type loaders map[uint32]Loader

// define takes an event; what is damaged, or has been defined, changes nothing.
func (l loaders) define(data []byte) (good bool) {
	if len(data) != abi.HeapLoaderBytes {
		return false
	}
	class := binary.LittleEndian.Uint32(data[abi.HeapLoaderClass:])
	loader := binary.LittleEndian.Uint32(data[abi.HeapLoaderNumber:])
	if _, known := l[class]; known || loader == math.MaxUint32 {
		return false
	}
	l[class] = Loader(loader)
	return true
}

// of is the loader of a class with a number, which is that of another one where same is not 0.
func (l loaders) of(number, same uint32) Loader {
	if same != 0 {
		number = same
	}
	if loader, known := l[number]; known {
		return loader
	}
	return NoLoader
}

// byLoaders says what rows have of classes' loaders.
type byLoaders uint8

const (
	apart   byLoaders = iota // classes of one name from several loaders are several
	ignored                  // they are one
	alone                    // all classes of a loader are one
	neither                  // all classes are one
)
