<?php
// A webhook receiver: verifies, stores each event once, answers at once; a queue does the work.
// PORT=3000 PHP_CLI_SERVER_WORKERS=4 php -S 127.0.0.1:3000 receiver.php
declare(strict_types=1);

require __DIR__ . '/verify.php';
require __DIR__ . '/store.php';

const MOST_BYTES = 1024 * 1024;

// For `sandbox certify --probe`; leave it out, or protect it, in production.
if ($_SERVER['REQUEST_METHOD'] === 'GET' && $_SERVER['REQUEST_URI'] === '/state') {
    header('Content-Type: application/json');
    $state = store()->state();
    echo json_encode([
        'alerts' => array_values($state['alerts']),
        'musters' => array_values($state['musters']),
        'acted' => $state['acted'],
    ]);
    return;
}
if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    return;
}
$body = file_get_contents('php://input');
if (strlen($body) > MOST_BYTES) {
    http_response_code(413);
    return;
}
$secret = getenv('SANDBOX_WEBHOOK_SECRET');
if ($secret === false || $secret === '') {
    error_log('SANDBOX_WEBHOOK_SECRET is not set.');
    http_response_code(500);
    return;
}
// PHP writes header names in upper case, however they were sent.
$timestamp = $_SERVER['HTTP_X_SERVICE_TIMESTAMP'] ?? null;
$signature = $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? null;
if (!isGenuine($timestamp, $signature, $body, $secret)) {
    http_response_code(401);
    return;
}
store()->take(json_decode($body, true, 512, JSON_THROW_ON_ERROR));
http_response_code(204);
