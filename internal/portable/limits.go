package portable

// Limits of what is read, each checked before memory is taken.
const (
	// maxEntries bounds the files of a jar.
	maxEntries = 1 << 20

	// maxClassBytes bounds the bytes of all classes together, as read: a few megabytes of jar can hold
	// far more.
	maxClassBytes = 4 << 30

	// maxLibrary bounds a jar inside a jar.
	maxLibrary = 512 << 20

	// maxPackages bounds the classes of the JDK's packages, compressed.
	maxPackages = 256 << 20

	// maxManifest bounds a manifest.
	maxManifest = 16 << 20

	// maxCounters, maxSites and maxMethods are what a reader of recordings takes.
	maxCounters = 1 << 24
	maxSites    = 1 << 24
	maxMethods  = 1 << 22
)
