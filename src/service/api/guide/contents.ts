/** The navigation of the guide: every page of docs/ in reading order, grouped by the task of the reader. */

interface GuideSection {
  readonly title: string;
  /** File names of docs/ without `.md`. */
  readonly pages: readonly string[];
}

/** The first page: docs/README.md. */
export const START_PAGE = 'README';

export const GUIDE: readonly GuideSection[] = [
  {
    title: 'Start here',
    pages: [
      START_PAGE,
      'install',
      'quick-start-receiver',
      'quick-start-tests',
      'quick-start-watch',
      'concepts',
      'glossary',
    ],
  },
  {
    title: 'Build a client',
    pages: ['authentication', 'api', 'events', 'privacy', 'https'],
  },
  {
    title: 'Webhooks',
    pages: ['webhooks', 'webhook-verification', 'certify', 'explore', 'explore-measured'],
  },
  {
    title: 'Test',
    pages: [
      'testing',
      'ci',
      'coverage',
      'time',
      'scenario-tutorial',
      'scenario-how-to',
      'scenario-reference',
      'actions',
      'agents',
    ],
  },
  {
    title: 'Watch and plan',
    pages: ['dashboard', 'legend', 'drill'],
  },
  {
    title: 'Your own plant and watches',
    pages: ['own-watches', 'watch-protocol'],
  },
  {
    title: 'Operate',
    pages: ['production', 'gaps', 'compare', 'configuration', 'scaling-out', 'upgrading', 'troubleshooting'],
  },
];
