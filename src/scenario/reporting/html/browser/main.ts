/** The script of a report: displays the run at one instant, and changes that instant. */
import { DATA_ID, type PackedRun } from '../packed-run.ts';
import { RunAt } from '../run-at.ts';
import { byId } from './elements.ts';
import { RunPlayer } from './player.ts';

const run = new RunAt(JSON.parse(byId(DATA_ID).textContent ?? '{}') as PackedRun);
document.body.classList.add('live');
for (const part of document.querySelectorAll<HTMLElement>('[hidden]')) part.hidden = false;
new RunPlayer(run).begin();
