// A customer's program in Go: it reads all of a sandbox with types generated from the OpenAPI 3.0 document, acknowledges an
// alert and makes a webhook destination. Each answer is encoded again and compared with what was received.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
)

type stage struct {
	URL   string            `json:"url"`
	Token string            `json:"token"`
	Site  string            `json:"site"`
	Alert string            `json:"alert"`
	Reads map[string]string `json:"reads"`
}

var problems []string

func fail(format string, words ...interface{}) { problems = append(problems, fmt.Sprintf(format, words...)) }

func call(s stage, method, path string, body interface{}) (int, []byte) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			fail("%s %s: %v", method, path, err)
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, s.URL+path, sent)
	if err != nil {
		panic(err)
	}
	request.Header.Set("authorization", "Bearer "+s.Token)
	if body != nil {
		request.Header.Set("content-type", "application/json")
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(err)
	}
	return answer.StatusCode, text
}

// decode reads the text as T, writes it again, and reports whatever was lost, added or changed on the way.
func decode[T any](what string, text []byte) T {
	var typed T
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&typed); err != nil {
		fail("%s: %v", what, err)
		return typed
	}
	again, err := json.Marshal(typed)
	if err != nil {
		fail("%s: %v", what, err)
		return typed
	}
	var before, after interface{}
	if json.Unmarshal(text, &before) != nil || json.Unmarshal(again, &after) != nil {
		fail("%s is no JSON", what)
	}
	for _, difference := range differences("", before, after) {
		fail("%s%s", what, difference)
	}
	return typed
}

func differences(at string, before, after interface{}) []string {
	object, isObject := before.(map[string]interface{})
	other, isOther := after.(map[string]interface{})
	if isObject && isOther {
		var found []string
		for key, value := range object {
			if rest, has := other[key]; has {
				found = append(found, differences(at+"/"+key, value, rest)...)
			} else {
				found = append(found, fmt.Sprintf("%s/%s was lost", at, key))
			}
		}
		for key := range other {
			if _, has := object[key]; !has {
				found = append(found, fmt.Sprintf("%s/%s was added", at, key))
			}
		}
		return found
	}
	list, isList := before.([]interface{})
	rest, isRest := after.([]interface{})
	if isList && isRest && len(list) == len(rest) {
		var found []string
		for n := range list {
			found = append(found, differences(fmt.Sprintf("%s/%d", at, n), list[n], rest[n])...)
		}
		return found
	}
	if reflect.DeepEqual(before, after) {
		return nil
	}
	return []string{fmt.Sprintf("%s was %v and is %v", at, before, after)}
}

func read[T any](s stage, operation string) T {
	status, text := call(s, "GET", s.Reads[operation], nil)
	if status != 200 {
		fail("%s: %d %s", operation, status, text)
	}
	return decode[T](operation, text)
}

// words uses the variants as a customer's program does.
func words(alert Alert) string {
	switch one := alert.Value.(type) {
	case *SosAlert:
		return string(one.Details.Trigger)
	case *LowBatteryAlert:
		return fmt.Sprint(one.Details.BatteryPct)
	case *HazardAlert:
		if one.Details.Magnitude == nil || one.Worker != nil {
			return "no magnitude, or a worker"
		}
		return fmt.Sprint(*one.Details.Magnitude)
	case *FallAlert:
		return *one.Worker.ExternalId
	}
	return fmt.Sprintf("%T", alert.Value)
}

func main() {
	var s stage
	if err := json.NewDecoder(os.Stdin).Decode(&s); err != nil {
		panic(err)
	}
	alerts := read[AlertPage](s, "listAlerts")
	events := read[EventPage](s, "listEvents")
	musters := read[MusterPage](s, "listMusters")
	missing := read[MissingWorkerList](s, "listMissingWorkers")
	workers := read[WorkerPage](s, "listWorkers")
	devices := read[DevicePage](s, "listDevices")
	positions := read[PositionList](s, "listPositions")
	sites := read[SiteList](s, "listSites")
	zones := read[ZoneList](s, "listZones")
	webhooks := read[WebhookDestinationList](s, "listWebhooks")
	read[Alert](s, "getAlert")
	read[Muster](s, "getMuster")

	status, text := call(s, "PATCH", "/v1/alerts/"+s.Alert, AlertUpdate{Status: "acknowledged", Actor: Actor{Name: "Desk 1"}})
	if status != 200 {
		fail("updateAlert: %d %s", status, text)
	}
	if one, is := decode[Alert]("updateAlert", text).Value.(*SosAlert); !is || one.Acknowledged == nil {
		fail("updateAlert: %s", text)
	}
	severity := SeverityHigh
	filters := WebhookFiltersInput{SiteIds: &[]string{s.Site}, MinSeverity: &severity}
	status, text = call(s, "POST", "/v1/webhooks", WebhookCreate{
		Url: "https://receiver.example/go", EventTypes: []EventSelector{"alert.*"}, Filters: &filters,
	})
	if status != 201 {
		fail("createWebhook: %d %s", status, text)
	}
	made := decode[WebhookDestinationCreated]("createWebhook", text)
	if status, text = call(s, "DELETE", "/v1/webhooks/"+made.Id, nil); status != 204 {
		fail("deleteWebhook: %d %s", status, text)
	}

	_, text = call(s, "GET", "/v1/alerts?cursor=abc&colour=red", nil)
	problem := decode[Problem]("problem", text)
	later := strings.Replace(string(text), string(problem.Code), "a_code_of_next_year", 1)
	if decode[Problem]("a later problem", []byte(later)).Code != "a_code_of_next_year" {
		fail("a code that the document does not list is not read")
	}
	_, text = call(s, "GET", s.Reads["getAlert"], nil)
	var tolerant Alert
	if err := json.Unmarshal([]byte(strings.Replace(string(text), "{", `{"later":1,`, 1)), &tolerant); err != nil {
		fail("a field of a later version is not read over: %v", err)
	}
	count := len(problems)
	decode[Site]("a site without its name", []byte(`{"id":"x","location":null,"privacy_mode":"continuous","unveil_min_severity":"high"}`))
	decode[Site]("a site with another mode", []byte(`{"id":"x","name":"y","location":null,"privacy_mode":"sometimes","unveil_min_severity":"high"}`))
	if len(problems) != count+2 {
		fail("a wrong answer is not noticed, so this judge sees nothing")
	}
	problems = problems[:count]

	var details []string
	for _, alert := range alerts.Data {
		details = append(details, words(alert))
	}
	report := map[string]interface{}{
		"alerts": details, "code": problem.Code, "problems": problems,
		"read": []int{len(events.Data), len(musters.Data), len(missing.Data), len(workers.Data), len(devices.Data),
			len(positions.Data), len(sites.Data), len(zones.Data), len(webhooks.Data)},
	}
	if err := json.NewEncoder(os.Stdout).Encode(report); err != nil {
		panic(err)
	}
}
