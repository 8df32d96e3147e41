<?php
// Verifies a webhook delivery. No dependencies: copy this file.
declare(strict_types=1);

const WEBHOOK_TOLERANCE_S = 300;

/**
 * True for a genuine delivery that is no older (and no newer) than 5 minutes.
 *
 * $body is the raw request body, before any parser: file_get_contents('php://input'), in Laravel and Symfony
 * $request->getContent(). $secret is the whole text that starts with whsec_.
 * During a rotation the signature header holds two signatures; either may fit.
 */
function isGenuine(?string $timestamp, ?string $signature, string $body, string $secret, ?float $now = null): bool
{
    if ($timestamp === null || $signature === null || preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1) {
        return false;
    }
    if (abs(($now ?? microtime(true)) - (int) $timestamp) > WEBHOOK_TOLERANCE_S) {
        return false;
    }
    $expected = 'v1=' . hash_hmac('sha256', "$timestamp.$body", $secret);
    foreach (explode(',', $signature) as $one) {
        if (hash_equals($expected, trim($one))) {
            return true;
        }
    }
    return false;
}
