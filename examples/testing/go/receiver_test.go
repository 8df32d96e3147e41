package alerts

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// receiver is a small receiver of your own: it verifies each delivery, and keeps each event once.
type receiver struct {
	t      *testing.T
	url    string
	events chan fields
	mutex  sync.Mutex
	secret string
	seen   map[string]bool
}

func startReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{t: t, events: make(chan fields, 100), seen: map[string]bool{}}
	server := httptest.NewServer(http.HandlerFunc(r.take))
	t.Cleanup(server.Close)
	r.url = server.URL + "/hook"
	return r
}

func (r *receiver) use(secret string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.secret = secret
}

func (r *receiver) take(writer http.ResponseWriter, request *http.Request) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return // The sender broke off the request, and will send it again.
	}
	timestamp, signature := request.Header.Get("X-Service-Timestamp"), request.Header.Get("X-Service-Signature")
	if !isGenuine(timestamp, signature, body, r.secret, time.Now()) {
		writer.WriteHeader(http.StatusUnauthorized)
		return
	}
	writer.WriteHeader(http.StatusNoContent)
	event := fields{}
	if json.Unmarshal(body, &event) != nil {
		return
	}
	if id, _ := event["id"].(string); !r.seen[id] {
		r.seen[id] = true
		r.events <- event
	}
}

// next returns the next event of this type; the test fails with the events that came if it does not come within 5 s.
func (r *receiver) next(eventType string) fields {
	r.t.Helper()
	others := []any{}
	for {
		select {
		case event := <-r.events:
			if event["type"] == eventType {
				return event
			}
			others = append(others, event["type"])
		case <-time.After(5 * time.Second):
			r.t.Fatalf("No %s came within 5 s, but %v", eventType, others)
		}
	}
}
