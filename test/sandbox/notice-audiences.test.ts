/** Who is shown which notice: the table of the contract, as waits, recordings and runs apply it. [decisions 4, 9] */
import { describe, expect, it } from 'vitest';
import { NOTICE_AUDIENCES, type NoticeAudience } from '../../src/contract/notice-audiences.ts';
import type { Notice, NoticeKind } from '../../src/contract/notices.ts';
import { InView } from '../../src/sandbox/runs/in-view.ts';
import type { TokenViewer } from '../../src/service/domain/access/viewer.ts';
import { World } from '../../src/service/domain/world/world.ts';

const AT = '2026-10-05T06:00:00.000Z';
const ADDRESSES = { publicUrl: 'http://127.0.0.1:1', panelUrl: 'http://127.0.0.1:1/panel' } as never;

const tokenWith = (scopes: TokenViewer['scopes'], organizationId = 'own'): TokenViewer => ({
  organizationId,
  names: true,
  contractors: null,
  scopes,
});
const viewOf = (viewer: TokenViewer | null) => new InView(new World(), viewer, ADDRESSES);

const kindsFor = (of: NoticeAudience['of']): NoticeKind[] =>
  (Object.keys(NOTICE_AUDIENCES) as NoticeKind[]).filter((kind) => NOTICE_AUDIENCES[kind].of === of);
/** Nothing but what every notice has: enough where the kind alone decides. */
const bare = (kind: NoticeKind) => ({ kind, at: AT }) as unknown as Notice;

const MAIL: Notice = {
  kind: 'mail-sent',
  at: AT,
  id: 'm1',
  organization_id: 'own',
  to: 'ops@own.example',
  subject: 'lost',
  text: 'lost',
};
const REQUEST: Notice = {
  kind: 'request-answered',
  at: AT,
  organization_id: 'own',
  method: 'GET',
  path: '/v1/alerts',
  query: '',
  status: 200,
  code: null,
  token_hash: null,
  retry_after_s: null,
};

describe('a notice', () => {
  it.each(kindsFor('operator'))('%s is for the operator of the sandbox, and no view has it', (kind) => {
    expect(viewOf(tokenWith(['webhooks:manage'])).of(bare(kind))).toBeNull();
    expect(viewOf(null).of(bare(kind))).toBeNull();
  });

  it.each(kindsFor('everybody'))('%s is for every token, as GET /health is', (kind) => {
    expect(viewOf(tokenWith([])).of(bare(kind))).toEqual(bare(kind));
    expect(viewOf(null).of(bare(kind))).toEqual(bare(kind));
  });

  it('of a company is for its tokens with the scope, and for the control token', () => {
    expect(viewOf(tokenWith(['webhooks:manage'])).of(MAIL)).toBe(MAIL);
    expect(viewOf(null).of(MAIL)).toBe(MAIL);
    expect(viewOf(tokenWith(['alerts:read'])).of(MAIL)).toBeNull();
    expect(viewOf(tokenWith(['webhooks:manage'], 'other')).of(MAIL)).toBeNull();
  });

  it('of an answered request needs no scope, and is for its company alone', () => {
    expect(viewOf(tokenWith([])).of(REQUEST)).toBe(REQUEST);
    expect(viewOf(tokenWith([], 'other')).of(REQUEST)).toBeNull();
  });
});
