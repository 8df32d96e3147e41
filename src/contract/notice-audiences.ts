/** The viewers who may see each notice. All code that shows notices to a viewer uses this table. [decisions 4, 9] */
import type { Scope } from './enumerations.ts';
import type { Notice, NoticeKind } from './notices.ts';

export type NoticeAudience =
  /**
   * Every viewer: the notice is about the sandbox itself, and `GET /health` also returns it without a token.
   * [decisions 9]
   */
  | { readonly of: 'everybody' }
  /** The control token, and tokens with this scope of the company that the notice concerns; null for any scope. */
  | { readonly of: 'company'; readonly scope: NoticeScope }
  /**
   * The person who runs the sandbox: in the terminal, in its files, and at the endpoints that require the control
   * token. A viewer's waits, runs and recordings do not include it.
   */
  | { readonly of: 'operator' };

/** `of the event`: the type of the event determines the scope. [decisions 1] */
type NoticeScope = Scope | 'of the event' | null;

const EVERYBODY = { of: 'everybody' } as const;
const OPERATOR = { of: 'operator' } as const;
const companyWith = <S extends NoticeScope>(scope: S) => ({ of: 'company', scope }) as const;

export const NOTICE_AUDIENCES = {
  'event-occurred': companyWith('of the event'),
  'alert-changed': companyWith('alerts:read'),
  'muster-changed': companyWith('musters:read'),
  'destination-changed': companyWith('webhooks:manage'),
  'destination-deleted': companyWith('webhooks:manage'),
  'delivery-attempted': companyWith('webhooks:manage'),
  'mail-sent': companyWith('webhooks:manage'),
  'request-answered': companyWith(null),
  'mail-refused': OPERATOR,
  'watch-online': OPERATOR,
  'watch-offline': OPERATOR,
  'uplink-heard': OPERATOR,
  'watch-refused': OPERATOR,
  'watch-noted': OPERATOR,
  'internal-error': OPERATOR,
  'broker-changed': OPERATOR,
  'run-stopped': OPERATOR,
  'nodes-changed': OPERATOR,
  'storage-full': EVERYBODY,
  'storage-broken': EVERYBODY,
} as const satisfies { readonly [K in NoticeKind]: NoticeAudience };

/** The kinds of notices with this audience. */
type KindOf<A extends NoticeAudience['of']> = {
  [K in NoticeKind]: (typeof NOTICE_AUDIENCES)[K]['of'] extends A ? K : never;
}[NoticeKind];

/** A notice about one company. */
export type CompanyNotice = Extract<Notice, { readonly kind: KindOf<'company'> }>;

export const audienceOf = (notice: Notice): NoticeAudience => NOTICE_AUDIENCES[notice.kind];

export const isOfCompany = (notice: Notice): notice is CompanyNotice => audienceOf(notice).of === 'company';
