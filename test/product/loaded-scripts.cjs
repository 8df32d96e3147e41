/** Required before a command: writes the files of the scripts that V8 has parsed to LOADED_SCRIPTS, one per line. */
const { writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');

const session = new Session();
const urls = new Set();
session.connect();
session.on('Debugger.scriptParsed', ({ params }) => urls.add(params.url));
session.post('Debugger.enable');
process.once('exit', () => writeFileSync(process.env.LOADED_SCRIPTS, [...urls].join('\n')));
