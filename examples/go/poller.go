package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"
)

// client calls the API with a token that it keeps.
type client struct {
	api   string
	token string
	http  http.Client
}

func (c *client) newToken() error {
	answer, err := c.http.PostForm(c.api+"/v1/oauth/token", url.Values{
		"grant_type":    {"client_credentials"},
		"client_id":     {os.Getenv("SANDBOX_CLIENT_ID")},
		"client_secret": {os.Getenv("SANDBOX_CLIENT_SECRET")},
	})
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("no token: %s", answer.Status)
	}
	var granted struct {
		AccessToken string `json:"access_token"`
	}
	err = json.NewDecoder(answer.Body).Decode(&granted)
	c.token = granted.AccessToken
	return err
}

// get makes one GET: a token that has ended is renewed once, and a limit is waited for.
func (c *client) get(path string, into any) error {
	renewed := false
	for {
		if c.token == "" {
			if err := c.newToken(); err != nil {
				return err
			}
		}
		request, err := http.NewRequest(http.MethodGet, c.api+path, nil)
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+c.token)
		answer, err := c.http.Do(request)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		switch {
		case err != nil:
			return err
		case answer.StatusCode == http.StatusOK:
			return json.Unmarshal(body, into)
		case answer.StatusCode == http.StatusUnauthorized && !renewed:
			c.token, renewed = "", true
		case answer.StatusCode == http.StatusTooManyRequests:
			seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
			if err != nil {
				seconds = 1
			}
			time.Sleep(time.Duration(seconds) * time.Second)
		default:
			return fmt.Errorf("GET %s: %s", path, answer.Status)
		}
	}
}

// pollEvents fills gaps: it fetches what no delivery brought from GET /v1/events, at the start and every minute.
// last is to be the created_at of the last event that your database holds; empty, it means the last 30 days.
func pollEvents(take func(event)) {
	every, err := time.ParseDuration(os.Getenv("POLL_SECONDS") + "s")
	if err != nil {
		every = time.Minute
	}
	c := &client{api: os.Getenv("SANDBOX_API_URL"), http: http.Client{Timeout: 30 * time.Second}}
	last := ""
	for {
		if err := fetch(c, &last, take); err != nil {
			log.Printf("Events are fetched again in %v: %v", every, err)
		}
		time.Sleep(every)
	}
}

func fetch(c *client, last *string, take func(event)) error {
	query := url.Values{"limit": {"200"}}
	if *last != "" {
		query.Set("created_after", *last)
	}
	for {
		var page struct {
			Data       []json.RawMessage `json:"data"`
			NextCursor *string           `json:"next_cursor"`
		}
		if err := c.get("/v1/events?"+query.Encode(), &page); err != nil {
			return err
		}
		for _, raw := range page.Data {
			var e event
			if err := json.Unmarshal(raw, &e); err != nil {
				return err
			}
			take(e)
			// All times of the API are written in UTC with milliseconds.
			*last = e.CreatedAt.UTC().Format("2006-01-02T15:04:05.000Z")
		}
		if page.NextCursor == nil {
			return nil
		}
		query.Set("cursor", *page.NextCursor)
	}
}
