/** The subject `mail`: an e-mail to a company's technical contact. */
import { quoted } from '../../../contract/sentences.ts';
import { type Matcher, mismatches } from '../../story/matchers.ts';
import { readMatcher, type StoryReading } from '../../story/read-matcher.ts';
import { lookForCount, needsOf, readCount, reportSubjectKeys } from './parts.ts';
import { type Candidate, type CheckSight, fittingOf, type ReadSubject } from './subject.ts';

const KEYS = ['mail', 'subject', 'text', 'count'];
const TRIGGERS = new Set(['mail-sent'] as const);
const ANY = 'any';

/** `mail: any` or an address; `subject` and `text` (what they contain), `count`. */
export const readMail: ReadSubject = (fields, at) => {
  reportSubjectKeys(fields, KEYS, at);
  const to = fields['mail'];
  if (typeof to !== 'string' || (to !== ANY && !to.includes('@'))) {
    if (to !== undefined)
      at.of('mail').mistake(`${quoted(to)} is not an e-mail address. Write name@example.com, or any.`);
    return null;
  }
  const body = new Map<string, Matcher | null>();
  for (const key of ['subject', 'text'])
    if (Object.hasOwn(fields, key)) body.set(key, readPart(fields[key], at.of(key)));
  const count = readCount(fields, at);
  if (count === null || [...body.values()].includes(null)) return null;
  const matcher: Matcher = { kind: 'fields', fields: body as Map<string, Matcher> };
  const all = (sight: CheckSight) => candidatesOf(to, matcher, sight);
  return {
    word: 'mail',
    text: `mail ${to}${body.size === 0 ? '' : ` with ${[...body.keys()].join(', ')}`}`,
    lasts: false,
    triggers: TRIGGERS,
    needs: [...needsOf(matcher), ...needsOf(count)],
    names: null,
    look: (sight) => lookForCount(all(sight), count, sight),
    all: (sight) => fittingOf(all(sight)),
  };
};

/** Texts match if they contain the word, or the id behind a name. */
function readPart(value: unknown, at: StoryReading): Matcher | null {
  const matcher = readMatcher(value, at);
  return matcher?.kind === 'equal' || matcher?.kind === 'reference' ? { kind: 'contains', items: [matcher] } : matcher;
}

function candidatesOf(to: string, matcher: Matcher, sight: CheckSight): Candidate[] {
  const { mails } = sight.record;
  const seen = mails.filter(
    (mail) => mail.seq > sight.since && (to === ANY || mail.to === to) && !sight.taken.has(`mail ${mail.seq}`),
  );
  return seen.map(({ seq, at, to: address, subject, text }) => ({
    key: `mail ${seq}`,
    at,
    label: `mail to ${address}: ${subject}`,
    mismatches: mismatches(matcher, { subject, text }, sight),
    named: { kind: 'answer', id: subject, body: { subject, text } },
  }));
}
