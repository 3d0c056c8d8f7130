package portable

import "testing"

func TestWithoutDigests(t *testing.T) {
	const manifest = "Manifest-Version: 1.0\nClass-Path: a.jar\n  b.jar\n\n" +
		"Name: demo/Main.class\nSHA-256-Digest: abc\n def\n\n\n" +
		"Name: demo/Kept.class\nSHA-256-Digest-fr: abc\nSealed: true\nsha1-digest: abc\n\n" +
		"Name: demo/Other.class\nSealed: true\n"
	const want = "Manifest-Version: 1.0\nClass-Path: a.jar\n  b.jar\n\r\n" +
		"Name: demo/Kept.class\nSealed: true\n\r\n" +
		"Name: demo/Other.class\nSealed: true\n\r\n"
	if got := string(withoutDigests([]byte(manifest))); got != want {
		t.Errorf("got %q", got)
	}
}

func TestSignatures(t *testing.T) {
	for name, want := range map[string]bool{
		"META-INF/DEMO.SF": true, "META-INF/demo.rsa": true, "META-INF/SIG-DEMO": true, "META-INF/X.EC": true,
		"META-INF/MANIFEST.MF": false, "META-INF/sub/DEMO.SF": false, "DEMO.SF": false,
		"META-INF/services/x.EC.y": false,
	} {
		if isSignature(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
