// Package pagetest has a browser open pages, for tests.
package pagetest

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"mallard/internal/jvmtest"
)

// Open has a headless browser open an address, and returns what it prints. What the page complains of fails the test.
func Open(t *testing.T, address string, flags ...string) []byte {
	t.Helper()
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		jvmtest.Missing(t, "no browser; scripts/install test installs Chromium where the distribution has it")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	flags = append(flags, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--window-size=1200,600", "--enable-logging=stderr",
		"--user-data-dir="+filepath.Join(t.TempDir(), "user"), address)
	cmd := exec.CommandContext(ctx, browser, flags...)
	var talk bytes.Buffer
	cmd.Stderr = &talk
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &talk)
	}
	if complaints := regexp.MustCompile(`(?m)^.*CONSOLE.*$`).FindAllString(talk.String(), -1); complaints != nil {
		t.Errorf("the page complains:\n%s", strings.Join(complaints, "\n"))
	}
	return out
}

// reader is what scripts let a page do in a browser: what a reader would, with keys and the mouse. say notes what the
// page then shows.
const reader = `
const said = [];
const on = id => document.getElementById(id);
const say = id => said.push(on(id).textContent);
const press = key => on("graph").dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
const search = text => { on("search").value = text; on("search").dispatchEvent(new Event("input")); };
const mouse = (kind, x, rowFromBottom) => {
  const edge = on("canvas").getBoundingClientRect();
  const at = {clientX: edge.left + x, clientY: edge.bottom - 9 - 18 * rowFromBottom, bubbles: true};
  on("canvas").dispatchEvent(new MouseEvent(kind, at));
};
const painted = () => {
  const c = on("canvas"), pixels = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
  let n = 0;
  for (let i = 3; i < pixels.length; i += 4) if (pixels[i] > 0) n++;
  return n / (c.width * c.height);
};
const until = async (what, holds) => {
  for (let i = 0; i < 500 && !holds(); i++) await new Promise(done => setTimeout(done, 20));
  if (!holds()) said.push("waited in vain: " + what);
};
`

// WithScript gives a page that does what a script says when it has been loaded.
func WithScript(page []byte, script string) []byte {
	end := "<pre id=said></pre><script>" + reader + "(async () => {" + script +
		"\non('said').textContent = JSON.stringify(said);})();</script></html>"
	return bytes.Replace(page, []byte("</html>"), []byte(end), 1)
}

// Browse opens the address of a page with a script, and returns what that says.
func Browse(t *testing.T, address string, flags ...string) (said []string) {
	t.Helper()
	dom := Open(t, address, append(flags, "--dump-dom")...)
	_, text, found := strings.Cut(string(dom), `<pre id="said">`)
	text, _, _ = strings.Cut(text, "</pre>")
	if err := json.Unmarshal([]byte(html.UnescapeString(text)), &said); err != nil {
		t.Fatalf("found %v: %v in %q", found, err, text)
	}
	return said
}
