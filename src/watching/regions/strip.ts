/** One line on every page while something is urgent: what, where, how late, how many are safe, how many to rescue, the way there. */
import { Html, html } from '../../base/text/html.ts';
import {
  ALERT_TERMS,
  MUSTER_TERMS,
  PERSON_TERMS,
  SEVERITY_TERMS,
  type Term,
} from '../../contract/resources/vocabulary.ts';
import type { Alert, Muster } from '../../contract/resources.ts';
import { type WorstEmergency, worstOf } from '../state/emergencies.ts';
import { capital, deadlineText, unitSpan } from '../state/words.ts';
import { many, type PanelLook } from './scene.ts';

/** `here`: the path of the page, which needs no link to itself. Empty if nothing is urgent. */
export function stripView(
  { world, now }: Pick<PanelLook, 'world' | 'now'>,
  { here }: { readonly here?: string },
): Html {
  const worst = worstOf(world);
  if (worst === null) return new Html('');
  const { site, muster, rescue, more } = worst;
  const [alert] = worst.alerts;
  const line = muster !== null ? musterLine(muster, rescue, now) : alert !== undefined ? alertLine(alert, now) : null;
  if (line === null) return new Html('');
  const { isLoud, what, figures, to, name } = line;
  const way =
    to === `/${here}` ? new Html('') : html`<a class="way" href="${to}">Open<span class="hidden"> ${name}</span></a>`;
  const others = moreView(more);
  const rest = others === null || here === 'panel' ? others : html`<a href="/panel">${others}</a>`;
  return html`<p class="urgent${isLoud ? ' loud' : ''}">${what}<span class="where">${muster === null ? whoseView(alert) : null}${site.name}</span>${figures}${way}${rest}</p>`;
}

/**
 * The first link of a page: from the keyboard, the way to what is urgent is one press. On the page of a muster it leads to the
 * list of missing people.
 */
export function skipView({ world }: PanelLook, { here = '' }: { readonly here?: string }): Html {
  const worst = worstOf(world);
  const to = worst === null ? '' : wayTo(worst);
  if (world.musters.get(here.slice('panel/musters/'.length))?.status === 'active')
    return html`<a class="skip" href="#missing">To the missing list</a>`;
  return to === '' || to === `/${here}` ? new Html('') : html`<a class="skip" href="${to}">To the emergency</a>`;
}

/** With a muster, its missing list. */
const wayTo = ({ muster, alerts: [alert] }: WorstEmergency): string =>
  muster !== null ? `/panel/musters/${muster.id}#missing` : alert === undefined ? '' : `/panel/alerts/${alert.id}`;

/** For example `+1 muster, +2 alerts`; on a narrow screen `+3`. */
function moreView({ musters, alerts }: WorstEmergency['more']): Html | null {
  const parts = [musters === 0 ? [] : many(musters, 'muster'), alerts === 0 ? [] : many(alerts, 'alert')].flat();
  if (parts.length === 0) return null;
  return html`<span class="more">${word(parts.map((part) => `+${part}`).join(', '), `+${musters + alerts}`)}</span>`;
}

const whoseView = (alert: Alert | undefined): Html =>
  alert?.worker?.name == null ? new Html('') : html`<b>${alert.worker.name}</b>, `;

interface StripLine {
  /** True if it is late, somebody must be rescued, or nobody has acknowledged it. */
  readonly isLoud: boolean;
  readonly what: Html;
  readonly figures: Html;
  readonly to: string;
  /** What the link opens. */
  readonly name: string;
}

/** A word, and on a narrow screen its short form; empty: there only a screen reader has it. */
const word = (text: string, short = ''): Html =>
  text === short
    ? html` ${text}`
    : html`<span class="word"> ${text}</span>${short === '' ? null : html`<span class="short" aria-hidden="true"> ${short}</span>`}`;

const termWord = ({ word: text, short }: Pick<Term, 'word' | 'short'>): Html => word(text, short);

function musterLine(
  { id, kind, phase, site, totals, deadline, started_at }: Muster,
  rescue: number,
  now: number,
): StripLine {
  const { glyph } = MUSTER_TERMS[phase];
  const left = deadline === null ? 0 : Date.parse(deadline.at) - now;
  const time =
    deadline === null
      ? html`<span>for ${unitSpan(now - Date.parse(started_at))}</span>`
      : left < 0
        ? html`<b class="late">${deadlineText(left)}</b>`
        : html`<span>${deadlineText(left)}</span>`;
  const people =
    rescue === 0
      ? new Html('')
      : html` <b><i aria-hidden="true">${PERSON_TERMS.rescue.glyph}</i> ${rescue}${termWord(PERSON_TERMS.rescue)}</b>`;
  return {
    isLoud: left < 0 || rescue > 0,
    what: html`<b class="what"><i aria-hidden="true">${glyph}</i> ${kind}<span class="hidden"> muster</span></b>`,
    figures: html`${time}<span class="figures"><span>${totals.safe}/${totals.expected}${termWord(PERSON_TERMS.safe)}</span>${people}</span>`,
    to: `/panel/musters/${id}`,
    name: `the ${kind} muster at ${site.name}`,
  };
}

function alertLine({ id, type, status, title, date_created }: Alert, now: number): StripLine {
  const isLoud = status === 'unacknowledged';
  const time = unitSpan(now - Date.parse(date_created));
  return {
    isLoud,
    what: html`<b class="what"><i aria-hidden="true">${SEVERITY_TERMS.critical.glyph}${ALERT_TERMS[type].glyph}</i> ${ALERT_TERMS[type].word}</b>`,
    figures: html`<span${new Html(isLoud ? ' class="late"' : '')}>${time}${word(status, status.replace('nowledged', ''))}</span>`,
    to: `/panel/alerts/${id}`,
    name: title,
  };
}

/** The sentence that a screen reader speaks when the worst emergency changes. `key` identifies the emergency. */
export function worstAloud({ site, muster, rescue, alerts: [alert] }: WorstEmergency): { key: string; text: string } {
  if (muster === null) return { key: alert?.id ?? '', text: `Urgent: ${alert?.title ?? ''}, ${site.name}.` };
  const { safe, expected } = muster.totals;
  const rescues = rescue === 0 ? '' : `, ${rescue} ${PERSON_TERMS.rescue.spoken}`;
  return {
    key: muster.id,
    text: `Urgent: ${capital(muster.kind)} muster at ${site.name}, ${safe} of ${expected} safe${rescues}.`,
  };
}
