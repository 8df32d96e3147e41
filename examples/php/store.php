<?php
declare(strict_types=1);

/** In a file under a lock, since each PHP request is a process: use your database, with a unique key on the event id. */
final class Store
{
    public function __construct(private readonly string $file)
    {
    }

    /** Deliveries come more than once, out of order, and beside what the poller fetched: all come through here. */
    public function take(array ...$events): void
    {
        $this->locked(function (array $state) use ($events): array {
            foreach ($events as $event) {
                $state = self::with($state, $event);
            }
            return $state;
        });
    }

    public function state(): array
    {
        return $this->locked(fn (array $state): array => $state);
    }

    private static function with(array $state, array $event): array
    {
        if (isset($state['seen'][$event['id']])) {
            return $state;
        }
        $state['seen'][$event['id']] = true;
        // A test event proves the connection; the API knows no such alert.
        if (($event['organization_id'] ?? null) === null) {
            return $state;
        }
        $alert = $event['data']['alert'] ?? null;
        $muster = $event['data']['muster'] ?? null;
        // All times of the API have the same form, so that they compare as text.
        if ($alert !== null && ($state['alerts'][$alert['id']]['date_last_modified'] ?? '') < $alert['date_last_modified']) {
            $state['alerts'][$alert['id']] = $alert;
        }
        if ($muster !== null && ($state['musters'][$muster['id']]['as_of'] ?? '') < $event['created_at']) {
            $state['musters'][$muster['id']] = $muster + ['as_of' => $event['created_at']];
        }
        // Here the work is put into a queue: page somebody, open a door, write a report.
        $state['acted'][] = $event['id'];
        return $state;
    }

    private function locked(callable $change): array
    {
        $handle = fopen($this->file, 'c+') ?: throw new RuntimeException("$this->file cannot be opened.");
        flock($handle, LOCK_EX);
        $text = stream_get_contents($handle);
        $before = $text === '' ? ['seen' => [], 'alerts' => [], 'musters' => [], 'acted' => []] : json_decode($text, true);
        $after = $change($before);
        if ($after !== $before) {
            rewind($handle);
            ftruncate($handle, 0);
            fwrite($handle, json_encode($after, JSON_THROW_ON_ERROR));
        }
        fclose($handle);
        return $after;
    }
}

/** One file for each receiver, by its port. */
function store(): Store
{
    return new Store(sys_get_temp_dir() . '/webhook-example-' . (getenv('PORT') ?: '3000') . '.json');
}
