/** A transcript that is true: every command in it is run by a shell as it is printed, and what comes back is what stands below it. */
import { execFile } from 'node:child_process';

/** As much of a body as a reader needs. */
const MOST_LINES = 14;

const TOLD_HEADERS = ['www-authenticate', 'allow', 'retry-after', 'content-type'];

export class TranscriptBook {
  #env;
  #surprises = [];
  #secrets = new Map();

  constructor(env) {
    // What is on this machine is not asked for by way of a proxy.
    this.#env = { ...env, NO_PROXY: '*', no_proxy: '*' };
  }

  get surprises() {
    return this.#surprises;
  }

  /** A variable of the shell; a secret one is printed by its name, wherever it turns up. */
  set(name, value, { secret = false } = {}) {
    this.#env[name] = value;
    if (secret) this.#secrets.set(value, `$${name}`);
  }

  scene(title) {
    this.#print(`\n## ${title}`);
  }

  say(text) {
    this.#print(`\n# ${text}`);
  }

  /** Whatever is not as it should be is told at once and makes the judge fail. */
  expect(claim, holds) {
    this.#print(`  ${holds ? 'ok' : 'NOT SO'}: ${claim}`);
    if (!holds) this.#surprises.push(claim);
  }

  /** `curl` with these arguments; the status is judged, the answer is given back. `show` picks what of its body is printed. */
  async curl(args, status, { show = (body) => body } = {}) {
    const { stdout } = await this.#run(`curl -si ${args}`);
    const answer = parse(stdout);
    this.#print(`HTTP ${answer.status}`);
    for (const name of TOLD_HEADERS)
      if (answer.headers[name] !== undefined) this.#print(`${name}: ${answer.headers[name]}`);
    const content = answer.body ?? answer.text;
    this.#printBody(answer.status === status ? show(content) : content);
    if (answer.status !== status) this.expect(`the answer is ${status}, not ${answer.status}`, false);
    return answer;
  }

  /** Any other command; it has to succeed. */
  async command(text) {
    const { stdout, error } = await this.#run(text);
    if (stdout.trim() !== '') this.#print(stdout.trim());
    if (error !== null) this.expect(`"${text}" succeeds`, false);
  }

  json(value) {
    this.#printBody(value);
  }

  #run(command) {
    this.#print(`\n$ ${command}`);
    return new Promise((done) => {
      const options = { env: this.#env, maxBuffer: 64 * 1024 * 1024 };
      execFile('sh', ['-c', command], options, (error, stdout, stderr) => {
        if (error !== null) this.#print(`${stderr}`.trim());
        done({ error, stdout });
      });
    });
  }

  #printBody(value) {
    if (value === '' || value === undefined) return;
    const lines = (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).split('\n');
    this.#print(lines.slice(0, MOST_LINES).join('\n'));
    if (lines.length > MOST_LINES) this.#print(`… ${lines.length - MOST_LINES} more lines`);
  }

  #print(text) {
    let shown = text;
    for (const [secret, name] of this.#secrets) shown = shown.replaceAll(secret, name);
    console.log(shown);
  }
}

function parse(stdout) {
  const end = stdout.indexOf('\r\n\r\n');
  const [first = '', ...lines] = stdout.slice(0, Math.max(end, 0)).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const text = stdout.slice(end + 4);
  const isJson = /json/.test(headers['content-type'] ?? '') && text !== '';
  return { status: Number(first.split(' ')[1]), headers, text, body: isJson ? JSON.parse(text) : null };
}
