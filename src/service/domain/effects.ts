/** What the service sends after the commit, and never before it. */

import type { Notice } from '../../contract/notices.ts';
import type { DownAlert, MusterNotice } from '../../contract/watch.ts';

export type Effect =
  | { readonly kind: 'downlink'; readonly deviceId: string; readonly payload: DownAlert }
  /** To all watches of a site, retained until the muster has ended. [watch-protocol `all/muster`] */
  | { readonly kind: 'muster'; readonly siteId: string; readonly payload: MusterNotice }
  | { readonly kind: 'notice'; readonly notice: Notice };
