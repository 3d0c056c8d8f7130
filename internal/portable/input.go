package portable

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// An entry is a file of the input.
type entry struct {
	name string    // with slashes
	jar  *zip.File // nil for a file of a folder, ...
	path string    // ... which is here
}

// input is a jar or a folder of classes.
type input struct {
	entries []entry
	id      string // hexadecimal, of the contents
	close   func() error
}

// open reads the list of entries.
func open(path string) (*input, error) {
	info, err := os.Stat(path)
	var failure *fs.PathError
	if errors.As(err, &failure) {
		err = failure.Err // the caller names it
	}
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in, err := openJar(file, info.Size())
	if err != nil {
		file.Close()
		return nil, err
	}
	in.close = file.Close
	return in, nil
}

func openJar(file io.ReaderAt, size int64) (*input, error) {
	r, err := zip.NewReader(file, size)
	if err != nil {
		return nil, fmt.Errorf("not a jar: %w", err)
	}
	if len(r.File) > maxEntries {
		return nil, fmt.Errorf("%d files are more than %d", len(r.File), maxEntries)
	}
	in := &input{}
	var stored uint64
	for _, f := range r.File {
		if stored += f.CompressedSize64; stored > uint64(size) {
			return nil, errors.New("not a jar: its files overlap")
		}
		in.entries = append(in.entries, entry{name: f.Name, jar: f})
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, size)); err != nil {
		return nil, err
	}
	in.id = idOf(sum)
	return in, nil
}

func openFolder(root string) (*input, error) {
	in := &input{close: func() error { return nil }}
	sum := sha256.New()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if len(in.entries) == maxEntries {
			return fmt.Errorf("more than %d files", maxEntries)
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		e := entry{name: filepath.ToSlash(name), path: path}
		in.entries = append(in.entries, e)
		fmt.Fprintf(sum, "%q\n", e.name)
		return e.copyTo(sum)
	})
	in.id = idOf(sum)
	return in, err
}

func idOf(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)[:6]) }

func (e entry) open() (io.ReadCloser, error) {
	if e.jar != nil {
		return e.jar.Open()
	}
	return os.Open(e.path)
}

func (e entry) copyTo(w io.Writer) error {
	r, err := e.open()
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(w, r)
	return err
}

// read gives the contents, which are at most limit bytes.
func (e entry) read(limit int64) ([]byte, error) {
	r, err := e.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var b bytes.Buffer
	if n, err := b.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return nil, err
	} else if n > limit {
		return nil, fmt.Errorf("more than %d bytes", limit)
	}
	return b.Bytes(), nil
}

// copyAs adds the entry to a jar as it is.
func (e entry) copyAs(out *zip.Writer) error {
	if strings.HasSuffix(e.name, "/") { // may have a few bytes of compressed nothing, which Copy does not take
		_, err := out.CreateHeader(&zip.FileHeader{Name: e.name, Modified: e.jar.Modified})
		return err
	}
	if e.jar != nil {
		return out.Copy(e.jar)
	}
	w, err := out.Create(e.name)
	if err != nil {
		return err
	}
	return e.copyTo(w)
}

// replace adds the entry to a jar with other contents, otherwise as it was.
func (e entry) replace(out *zip.Writer, contents []byte) error {
	h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
	if e.jar != nil {
		h.Modified, h.Comment, h.ExternalAttrs, h.CreatorVersion = e.jar.Modified, e.jar.Comment, e.jar.ExternalAttrs,
			e.jar.CreatorVersion
		if e.jar.Method == zip.Store {
			h.Method = zip.Store
		}
	}
	return add(out, h, contents)
}

// add adds a file to a jar. What is not compressed has its size in front: java.util.zip.ZipInputStream takes it no
// other way.
func add(out *zip.Writer, h *zip.FileHeader, contents []byte) error {
	if h.Method != zip.Store {
		w, err := out.CreateHeader(h)
		if err == nil {
			_, err = w.Write(contents)
		}
		return err
	}
	h.CRC32 = crc32.ChecksumIEEE(contents)
	h.CompressedSize64, h.UncompressedSize64 = uint64(len(contents)), uint64(len(contents))
	w, err := out.CreateRaw(h)
	if err == nil {
		_, err = w.Write(contents)
	}
	return err
}
