<?php
// Fills gaps: fetches what no delivery brought from GET /v1/events, at the start and every minute. A process of its own.
declare(strict_types=1);

require __DIR__ . '/store.php';

final class Poller
{
    private ?string $token = null;

    /** $last: the created_at of the last event that your database holds; null means the last 30 days. */
    public function __construct(private readonly string $api, private ?string $last = null)
    {
    }

    public function fetch(Store $store): void
    {
        $query = ['limit' => 200] + ($this->last === null ? [] : ['created_after' => $this->last]);
        do {
            $page = $this->get('/v1/events?' . http_build_query($query));
            $store->take(...$page['data']);
            $this->last = end($page['data'])['created_at'] ?? $this->last;
            $query['cursor'] = $page['next_cursor'];
        } while ($page['next_cursor'] !== null);
    }

    /** One GET: a token that has ended is renewed once, and a limit is waited for. */
    private function get(string $path): array
    {
        $renewed = false;
        while (true) {
            $this->token ??= $this->newToken();
            [$status, $headers, $body] = $this->call('GET', $path, "Authorization: Bearer $this->token");
            if ($status === 200) {
                return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
            }
            if ($status === 401 && !$renewed) {
                [$this->token, $renewed] = [null, true];
            } elseif ($status === 429) {
                sleep((int) ($headers['retry-after'] ?? 1));
            } else {
                throw new RuntimeException("GET $path: $status");
            }
        }
    }

    private function newToken(): string
    {
        $form = http_build_query([
            'grant_type' => 'client_credentials',
            'client_id' => getenv('SANDBOX_CLIENT_ID'),
            'client_secret' => getenv('SANDBOX_CLIENT_SECRET'),
        ]);
        [$status, , $body] = $this->call('POST', '/v1/oauth/token', 'Content-Type: application/x-www-form-urlencoded', $form);
        if ($status !== 200) {
            throw new RuntimeException("No token: $status");
        }
        return json_decode($body, true, 512, JSON_THROW_ON_ERROR)['access_token'];
    }

    /** @return array{int, array<string, string>, string} status, headers by their lower-case names, body */
    private function call(string $method, string $path, string $header, string $content = ''): array
    {
        $http = ['method' => $method, 'header' => $header, 'content' => $content, 'ignore_errors' => true, 'timeout' => 30];
        $body = @file_get_contents($this->api . $path, false, stream_context_create(['http' => $http]));
        if ($body === false) {
            throw new RuntimeException("$method $path: no answer");
        }
        $headers = [];
        foreach (array_slice($http_response_header, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
        }
        return [(int) explode(' ', $http_response_header[0])[1], $headers, $body];
    }
}

$every = (float) (getenv('POLL_SECONDS') ?: 60);
$poller = new Poller((string) getenv('SANDBOX_API_URL'));
while (true) {
    try {
        $poller->fetch(store());
    } catch (Exception $error) {
        fwrite(STDERR, "Events are fetched again in $every s: {$error->getMessage()}\n");
    }
    usleep((int) ($every * 1_000_000));
}
