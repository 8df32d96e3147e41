/** The keyboard commands of the page. */
import { byId } from './elements.ts';

const SINGLE: Readonly<Record<string, string>> = {
  j: 'step-next',
  k: 'step-before',
  n: 'failure-next',
  p: 'failure-before',
  ' ': 'play',
  '+': 'faster',
  '=': 'faster',
  '-': 'slower',
  '?': 'keys',
};
const MOVES: Readonly<Record<string, string>> = {
  ArrowLeft: 'event-before',
  ArrowRight: 'event-next',
  Home: 'begin',
  End: 'end',
};

// These elements use the keys themselves, or are scrolled with them.
const SCROLLED = '.wide, pre';
const FIELDS = 'select, input:not([type=range]), textarea';
const OWN_SPACE = 'button, a, summary';

export function listenToKeys(act: (command: string) => void): void {
  document.addEventListener('keydown', (event) => {
    // The map moves and zooms with some of the keys, while it has the focus.
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : null;
    const command = SINGLE[event.key] ?? MOVES[event.key];
    if (command === undefined || target?.matches(FIELDS) === true) return;
    if (event.key in MOVES && target?.matches(SCROLLED) === true) return;
    // Users of speech input can switch single-key commands off. [WCAG 2.1.4]
    if (event.key in SINGLE && !byId<HTMLInputElement>('single-keys').checked) return;
    if (event.key === ' ' && target?.matches(OWN_SPACE) === true) return;
    event.preventDefault();
    act(command);
  });
}
