package alerts

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// exec runs a command beside the sandbox. This one prints its environment, which has the addresses and credentials,
// and ends when its stdin ends: at the end of the test, and also when the test process is killed or panics. Then exec
// stops the sandbox.
const untilStdinEnds = "process.on('SIGINT', () => {}); console.log(JSON.stringify(process.env)); process.stdin.resume()"

// fields is an object of JSON.
type fields map[string]any

// sandbox is a running sandbox of one test: act makes things happen, wait waits for their effect, call is the API as
// your client sees it.
type sandbox struct {
	t     *testing.T
	env   map[string]string
	token string
}

// startSandbox starts a sandbox for this test alone, so tests may run in parallel.
func startSandbox(t *testing.T) *sandbox {
	t.Helper()
	command := os.Getenv("SANDBOX_COMMAND")
	if command == "" {
		command = "npx muster-sandbox"
	}
	words := append(strings.Fields(command), "exec", "--seed", "7", "--watches", "12", "--", "node", "-e", untilStdinEnds)
	process := exec.Command(words[0], words[1:]...)
	process.Stderr = os.Stderr
	stdin, err := process.StdinPipe()
	must(t, err)
	stdout, err := process.StdoutPipe()
	must(t, err)
	must(t, process.Start())
	t.Cleanup(func() {
		stdin.Close()
		process.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		t.Fatal("The sandbox did not start; its stderr has the reason.")
	}
	s := &sandbox{t: t}
	must(t, json.Unmarshal(line, &s.env))
	form := url.Values{
		"grant_type":    {"client_credentials"},
		"client_id":     {s.env["SANDBOX_CLIENT_ID"]},
		"client_secret": {s.env["SANDBOX_CLIENT_SECRET"]},
	}
	answer, err := http.PostForm(s.env["SANDBOX_API_URL"]+"/v1/oauth/token", form)
	must(t, err)
	s.token = s.read("POST /v1/oauth/token", answer)["access_token"].(string)
	return s
}

func (s *sandbox) call(method, path string, body any) fields {
	s.t.Helper()
	return s.send(method, path, body, s.token)
}

func (s *sandbox) act(action string, more fields) fields {
	s.t.Helper()
	body := fields{"action": action}
	for name, value := range more {
		body[name] = value
	}
	return object(s.control("POST", "/v1/sandbox/actions", body)["result"])
}

// wait returns what fits, as soon as it is there; after `within` (5s), the test fails with the nearest candidate.
func (s *sandbox) wait(wanted fields) fields {
	s.t.Helper()
	return object(s.call("POST", "/v1/sandbox/wait", wanted)["found"])
}

func (s *sandbox) advance(duration string) {
	s.t.Helper()
	s.control("POST", "/v1/sandbox/clock", fields{"advance": duration})
}

// listen delivers all events of the first company to a local address; it returns the secret.
func (s *sandbox) listen(address string) string {
	s.t.Helper()
	return s.control("POST", "/v1/sandbox/destinations", fields{"forward_to": address})["secret"].(string)
}

func (s *sandbox) control(method, path string, body any) fields {
	s.t.Helper()
	return s.send(method, path, body, s.env["SANDBOX_CONTROL_TOKEN"])
}

func (s *sandbox) send(method, path string, body any, token string) fields {
	s.t.Helper()
	text, err := json.Marshal(body)
	must(s.t, err)
	request, err := http.NewRequest(method, s.env["SANDBOX_API_URL"]+path, bytes.NewReader(text))
	must(s.t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	must(s.t, err)
	return s.read(method+" "+path, answer)
}

func (s *sandbox) read(called string, answer *http.Response) fields {
	s.t.Helper()
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(s.t, err)
	if answer.StatusCode >= 300 {
		s.t.Fatalf("%s: %d %s", called, answer.StatusCode, text)
	}
	found := fields{}
	if len(text) > 0 {
		must(s.t, json.Unmarshal(text, &found))
	}
	return found
}

func object(value any) fields {
	found, _ := value.(map[string]any)
	return found
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
