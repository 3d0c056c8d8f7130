package main

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"time"
)

// pages is how many different ones a visitor asks for.
const pages = 1000

// answerLimit bounds a request; one that takes longer has failed.
const answerLimit = 10 * time.Second

// A visitor asks bench/attach/Shop for one page after the other, over one connection, which sends at once what it has
// (TCP_NODELAY, as net has it). Each page must be what its checksum says, and what it was the time before.
type visitor struct {
	address string
	conn    net.Conn // nil after a failure
	in      *bufio.Reader
	asked   int
	seen    [pages]string // checksums
}

// visit asks until a time, which is looked at between requests.
func (v *visitor) visit(until time.Time) (requests, failed int) {
	for ; time.Now().Before(until); requests++ {
		if v.ask() != nil {
			failed++
			v.leave()
		}
	}
	return requests, failed
}

func (v *visitor) leave() {
	if v.conn != nil {
		v.conn.Close()
		v.conn = nil
	}
}

func (v *visitor) ask() error {
	if v.conn == nil {
		conn, err := net.DialTimeout("tcp", v.address, answerLimit)
		if err != nil {
			return err
		}
		v.conn, v.in = conn, bufio.NewReader(conn)
	}
	number := v.asked % pages
	v.asked++
	if err := v.conn.SetDeadline(time.Now().Add(answerLimit)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(v.conn, "GET /order?number=%d HTTP/1.1\r\nHost: shop\r\n\r\n", number); err != nil {
		return err
	}
	response, err := http.ReadResponse(v.in, nil)
	if err != nil {
		return err
	}
	page, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	sum := fmt.Sprintf("%08x", crc32.ChecksumIEEE(page))
	if v.seen[number] == "" {
		v.seen[number] = sum
	}
	if response.StatusCode != http.StatusOK || response.Header.Get("ETag") != sum || v.seen[number] != sum {
		return fmt.Errorf("page %d: %s, checksum %s", number, response.Status, sum)
	}
	return nil
}
