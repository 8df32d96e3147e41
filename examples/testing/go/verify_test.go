package alerts

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// isGenuine verifies a webhook delivery. No dependencies: copy this file.
//
// It is true for a genuine delivery that is no older (and no newer) than 5 minutes. body is the raw request body,
// secret the whole text that starts with whsec_. During a rotation the signature header holds two signatures;
// either may fit.
func isGenuine(timestamp, signature string, body []byte, secret string, now time.Time) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	// The form too: "+1" and the like parse, and would be signed as another text.
	if err != nil || seconds < 0 || strconv.FormatInt(seconds, 10) != timestamp || len(timestamp) > 12 {
		return false
	}
	apart := now.Sub(time.Unix(seconds, 0))
	if apart > tolerance || apart < -tolerance {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := []byte("v1=" + hex.EncodeToString(mac.Sum(nil)))
	for _, one := range strings.Split(signature, ",") {
		if hmac.Equal([]byte(strings.TrimSpace(one)), expected) {
			return true
		}
	}
	return false
}
