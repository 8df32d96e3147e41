/** Maps notices to records of the canonical log. */
import { isOfCompany } from '../../contract/notice-audiences.ts';
import type { Notice } from '../../contract/notices.ts';
import { objectOf } from '../model/references.ts';
import type { LogKind } from './canonical-log.ts';

interface Naming {
  /** The short name of the worker with this id. */
  personOf(workerId: string): string | undefined;
  /** The short name of the receiver behind this url. */
  receiverOf(url: string): string | null;
}

interface NoticeEntry {
  readonly k: LogKind;
  readonly who?: string;
  readonly d: unknown;
}

/** Returns null for notices that are not logged: telemetry, connections, and everything that depends on the machine. */
export function entryOf(notice: Notice, naming: Naming): NoticeEntry | null {
  if (!isOfCompany(notice)) return null;
  switch (notice.kind) {
    case 'event-occurred': {
      const { id, type, data } = notice.event;
      const object = objectOf(notice.event) as { id: string; worker?: { id: string } | null };
      const about = Object.keys(data)[0];
      return {
        k: 'event',
        ...whoOf(object, naming),
        d: { id, type, listed: notice.listed, about, object: portable(object) },
      };
    }
    case 'alert-changed':
      return { k: 'alert', ...whoOf(notice.alert, naming), d: portable(notice.alert) };
    case 'muster-changed':
      return { k: 'muster', d: portable(notice.muster) };
    case 'delivery-attempted': {
      const { event_id, event_type, object_id, try: tries, offset_ms, result, status, signatures } = notice;
      const d = {
        event: event_id,
        type: event_type,
        object: object_id,
        try: tries,
        offset_ms,
        result,
        status,
        signatures,
      };
      return { k: 'dlv', who: naming.receiverOf(notice.url) ?? '', d };
    }
    case 'destination-changed': {
      const { url, event_types, filters, is_active, failing_since } = notice.destination;
      return { k: 'dest', who: naming.receiverOf(url) ?? '', d: { event_types, filters, is_active, failing_since } };
    }
    case 'mail-sent':
      return { k: 'mail', d: { to: notice.to, subject: notice.subject, text: notice.text } };
    case 'request-answered':
    case 'destination-deleted':
      return null;
  }
}

function whoOf({ worker }: { worker?: { id: string } | null }, naming: Naming): { who?: string } {
  const who = worker ? naming.personOf(worker.id) : undefined;
  return who === undefined ? {} : { who };
}

/** Removes the panel's address, which contains the port of this run. */
function portable(object: object): object {
  const { panel_url: _panelUrl, ...rest } = object as { panel_url?: unknown };
  return rest;
}
