package heap

import "fmt"

// Loader is a class loader's number in a recording; the boot loader has 0.
type Loader int64

// NoLoader is that of classes of which it is not known.
const NoLoader Loader = -1

// LoaderTitle names a loader, and says whether the program has loaded classes of a name, in Java's words, by several.
type LoaderTitle func(class string, loader Loader) (title string, several bool)

// loaderNumbered names loaders where nothing else does.
func loaderNumbered(_ string, loader Loader) (title string, several bool) {
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

// byLoaders says what rows have of classes' loaders.
type byLoaders uint8

const (
	apart   byLoaders = iota // classes of one name from several loaders are several
	ignored                  // they are one
	alone                    // all classes of a loader are one
	neither                  // all classes are one
)
