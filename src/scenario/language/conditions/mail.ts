/** The condition `mail`: an e-mail to a company's technical contact. */
import { quoted } from '../../../contract/sentences.ts';
import { type Candidate, fittingOf, type ViewScope } from '../../judging/subject.ts';
import type { RecordedMail } from '../../log/run-record.ts';
import { type Matcher, mismatches } from '../../model/matchers.ts';
import { readMatcher } from '../../model/read-matcher.ts';
import { defineCondition } from '../condition.ts';
import { field, required } from '../field.ts';
import { count } from './keys.ts';
import { lookForCount, needsOf, unclaimedSince } from './parts.ts';

const TRIGGERS = new Set(['mail-sent'] as const);
const ANY = 'any';

const address = field<string>('text', 'an address or any', { type: 'string' }, (to, at) =>
  typeof to === 'string' && (to === ANY || to.includes('@'))
    ? to
    : at.mistake(`${quoted(to)} is not an e-mail address. Write name@example.com, or any.`),
);

/** A text matches if it contains the given word, or the id of the named object. */
const part = (help: string) =>
  field<Matcher>('matcher', help, {}, (value, at) => {
    const matcher = readMatcher(value, at);
    const isContained = matcher?.kind === 'equal' || matcher?.kind === 'reference';
    return isContained ? { kind: 'contains', items: [matcher] } : matcher;
  });

/** `mail: any` or an address; `subject` and `text` (parts of them), `count`. */
export const MAIL = defineCondition({
  word: 'mail',
  help: 'An e-mail to the technical contact of a company.',
  example: '{mail: any, subject: could not be delivered}',
  lasts: false,
  searches: true,
  sees: 'outgoing',
  fields: {
    mail: required(address),
    subject: part('A text that the subject must contain.'),
    text: part('A text that the body must contain.'),
    count,
  },
  words: [ANY],
  resource: null,
  scopes: ['webhooks:manage'],
  mutation: { isPassing: false },
  read: ({ whole }) => {
    if (whole === null) return null;
    const { mail: to, subject, text, count: wanted } = whole;
    const body = new Map(
      Object.entries({ subject, text }).filter((entry): entry is [string, Matcher] => entry[1] !== undefined),
    );
    const matcher: Matcher = { kind: 'fields', fields: body };
    const all = (viewScope: ViewScope) => candidatesOf(to, matcher, viewScope);
    return {
      text: `mail ${to}${body.size === 0 ? '' : ` with ${[...body.keys()].join(', ')}`}`,
      triggers: TRIGGERS,
      needs: [...needsOf(matcher), ...needsOf(wanted)],
      names: null,
      look: (viewScope) => lookForCount(all(viewScope), wanted, viewScope),
      all: (viewScope) => fittingOf(all(viewScope)),
    };
  },
});

function candidatesOf(to: string, matcher: Matcher, viewScope: ViewScope): Candidate[] {
  const found = unclaimedSince(viewScope.record.mails, keyOf, viewScope).filter((mail) => to === ANY || mail.to === to);
  return found.map((mail) => candidateOf(mail, matcher, viewScope));
}

const keyOf = ({ seq }: RecordedMail): string => `mail ${seq}`;

function candidateOf(mail: RecordedMail, matcher: Matcher, viewScope: ViewScope): Candidate {
  const { at, to: address, subject, text } = mail;
  return {
    key: keyOf(mail),
    at,
    label: `mail to ${address}: ${subject}`,
    mismatches: mismatches(matcher, { subject, text }, viewScope),
    named: { kind: 'answer', id: subject, body: { subject, text } },
  };
}
