/** Every benchmark: ratios against a bare baseline measured in the same run, since machines are noisy. */
import { benchBoot } from './boot.ts';
import { benchFallToWebhook } from './fall-to-webhook.ts';

console.log(`Node ${process.versions.node}`);
await benchBoot();
await benchFallToWebhook();
process.exit(0);
