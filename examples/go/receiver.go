// A webhook receiver: verifies, stores each event once, answers at once, and works afterwards.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"
)

// event is what this receiver uses of an event; there is more in it, and more may come.
type event struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	CreatedAt time.Time `json:"created_at"`
	// OrganizationID is null in test events.
	OrganizationID *string `json:"organization_id"`
	Data           struct {
		Alert  *alert  `json:"alert"`
		Muster *muster `json:"muster"`
	} `json:"data"`
}

type alert struct {
	ID               string    `json:"id"`
	Status           string    `json:"status"`
	DateLastModified time.Time `json:"date_last_modified"`
	Simulated        bool      `json:"simulated"`
	// Null without a position. It must not become 0, 0.
	Location json.RawMessage `json:"location"`
}

type muster struct {
	ID     string    `json:"id"`
	Status string    `json:"status"`
	AsOf   time.Time `json:"as_of"`
}

// store is in memory, to keep the example short: use your database, with a unique key on the event id.
type store struct {
	mutex   sync.Mutex
	seen    map[string]bool
	alerts  map[string]alert
	musters map[string]muster
	acted   []string
}

// take is the one door: deliveries come more than once, out of order, and beside what the poller fetched.
func (s *store) take(e event) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.seen[e.ID] {
		return
	}
	s.seen[e.ID] = true
	// A test event proves the connection; the API knows no such alert.
	if e.OrganizationID == nil {
		return
	}
	if a := e.Data.Alert; a != nil {
		if held, ok := s.alerts[a.ID]; !ok || held.DateLastModified.Before(a.DateLastModified) {
			s.alerts[a.ID] = *a
		}
	}
	if m := e.Data.Muster; m != nil {
		if held, ok := s.musters[m.ID]; !ok || held.AsOf.Before(e.CreatedAt) {
			m.AsOf = e.CreatedAt
			s.musters[m.ID] = *m
		}
	}
	// Here the work begins that may take long: page somebody, open a door, write a report.
	s.acted = append(s.acted, e.ID)
}

func (s *store) state() map[string]any {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	alerts, musters := []alert{}, []muster{}
	for _, one := range s.alerts {
		alerts = append(alerts, one)
	}
	for _, one := range s.musters {
		musters = append(musters, one)
	}
	return map[string]any{"alerts": alerts, "musters": musters, "acted": append([]string{}, s.acted...)}
}

const mostBytes = 1024 * 1024

func main() {
	secret := os.Getenv("SANDBOX_WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("SANDBOX_WEBHOOK_SECRET is not set.")
	}
	held := &store{seen: map[string]bool{}, alerts: map[string]alert{}, musters: map[string]muster{}}

	// For `sandbox certify --probe`; leave it out, or protect it, in production.
	http.HandleFunc("/state", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(held.state())
	})
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		// Header.Get ignores the case of names.
		if !isGenuine(r.Header.Get("X-Service-Timestamp"), r.Header.Get("X-Service-Signature"), body, secret, time.Now()) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var e event
		if json.Unmarshal(body, &e) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		held.take(e)
		w.WriteHeader(http.StatusNoContent)
	})
	if os.Getenv("SANDBOX_API_URL") != "" {
		go pollEvents(held.take)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
