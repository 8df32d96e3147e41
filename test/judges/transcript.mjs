/**
 * What a client meets, for people to read and for CI to believe: a sandbox is booted, `curl` and a watch's MQTT client speak to
 * it, and each answer is judged as it is printed. `--no-wait` does not sit out the minute of Retry-After.
 */
import { join } from 'node:path';
import { cleanEnv, inOwnFolder, openReceiver, upSandbox } from './sandbox.mjs';
import { TranscriptBook } from './transcript-book.mjs';
import { limits, refusals, tokensInThreeWays } from './transcript-errors.mjs';
import { inAPrivacyZone, threePeople, withAndWithoutNames } from './transcript-people.mjs';

const ROOT = join(import.meta.dirname, '../..');
const PLANT = join(ROOT, 'scenarios/sites/harbour.yaml');

const wait = !process.argv.includes('--no-wait');

await inOwnFolder(async (folder) => {
  const receiver = await openReceiver();
  const forward = `receiver.example=${receiver.url}`;
  // Nobody is emulated: who is where is told by the watches of this transcript alone.
  const flags = ['--no-fleet', '--watches', '12', '--site', PLANT, '--forward', forward];
  const sandbox = await upSandbox(folder, flags);
  try {
    const { ready } = sandbox;
    const book = openBook(ready);
    const [{ site_id }] = ready.watches;
    await tokensInThreeWays(book);
    const alerts = await threePeople(book, ready.watches.filter((watch) => watch.site_id === site_id).slice(0, 3));
    await withAndWithoutNames(book, alerts);
    await inAPrivacyZone(book, alerts, receiver);
    await refusals(book, { alert: alerts.ofCaller.id });
    await limits(book, { wait });
    const { surprises } = book;
    console.log(`\ntranscript: ${surprises.length} surprises`);
    for (const surprise of surprises) console.log(`  NOT SO: ${surprise}`);
    process.exitCode = surprises.length === 0 ? 0 : 1;
  } finally {
    await sandbox.stop();
    await receiver.close();
  }
});

/** The shell's variables: what the ready line told. */
function openBook({ api_url, mqtt_url, control_token, clients, watches }) {
  const [mine, theirs] = clients;
  const env = cleanEnv();
  const book = new TranscriptBook({ ...env, PATH: `${join(ROOT, 'node_modules/.bin')}:${env.PATH}` });
  book.set('API', api_url);
  book.set('MQTT_PORT', new URL(mqtt_url).port);
  book.set('ID', mine.client_id);
  book.set('SECRET', mine.client_secret, { secret: true });
  book.set('OTHER_ID', theirs.client_id);
  book.set('OTHER_SECRET', theirs.client_secret, { secret: true });
  // The last plant is the other company's.
  book.set('OTHER_SITE', watches.at(-1).site_id);
  book.set('CONTROL', control_token, { secret: true });
  return book;
}
