/** Decides what a command does: changes, or a rejection. Pure: it reads the world and changes nothing. */

import { sha256Hex } from '../../base/ids.ts';
import { changeContract, changePrivacy, endTokens, issueToken } from './access/limits-and-tokens.ts';
import { assignAlert, reopenAlert, updateAlert } from './alerts/by-people.ts';
import { judgeSilence, regainContact } from './alerts/from-telemetry.ts';
import {
  acknowledgeOnWatch,
  answerPrompt,
  expirePrompt,
  panelSos,
  reportFall,
  reportSos,
  requestCall,
} from './alerts/from-watch.ts';
import { reportHazard } from './alerts/hazards.ts';
import type { AlertDecision } from './alerts/raise.ts';
import type { Change, Rejection, Stamp } from './changes.ts';
import { type Command, type CommandOf, type CommandType, type Done, type Uplink, uplinkKey } from './commands.ts';
import {
  createDestination,
  deleteDestination,
  resendEvents,
  rotateSecret,
  testDestination,
} from './deliveries/destinations.ts';
import { keepMail } from './deliveries/mails.ts';
import { settleDelivery } from './deliveries/settle.ts';
import { declareAtPoint, reportHelp } from './musters/from-watch.ts';
import {
  changeKind,
  countMuster,
  endMuster,
  excludePoint,
  inspect,
  markSafe,
  reinstatePoint,
  startMuster,
} from './musters/steer.ts';
import { joinPlant, leavePlant } from './plant/guests.ts';
import { unveil } from './privacy/places.ts';
import { acknowledgeVehicle, warnOfVehicle } from './vehicles/warnings.ts';
import { changeDevice, changeWorker, swapWatch } from './watches/registry.ts';
import { reportBattery, reportBirth, reportPosition } from './watches/reports.ts';
import { reportPersonHeat, reportPlantHeat } from './weather/judge-heat.ts';
import { reportWind } from './weather/wind.ts';
import type { World } from './world/world.ts';
import { closePermit, expirePermit, openPermit } from './zones/permits.ts';

export type Decision = ({ readonly changes: readonly Change[] } & Done) | Rejection;

type CommandRule<T extends CommandType> = (world: World, stamp: Stamp, command: CommandOf<T>) => Decision;

const RULES: { readonly [T in CommandType]: CommandRule<T> } = {
  'report-birth': reportBirth,
  'report-position': (world, stamp, command) => ({ changes: reportPosition(world, stamp, command) }),
  'report-battery': (world, stamp, command) => ({ changes: reportBattery(world, stamp, command) }),
  'report-sos': once(reportSos),
  'report-fall': once(reportFall),
  'answer-prompt': once(answerPrompt),
  'acknowledge-on-watch': once(acknowledgeOnWatch),
  'request-call': once(requestCall),
  'report-help': once(reportHelp),
  'declare-at-point': once(declareAtPoint),
  'acknowledge-vehicle': once(acknowledgeVehicle),
  'regain-contact': (world, _stamp, command) => ({ changes: regainContact(world, command) }),
  'expire-prompt': expirePrompt,
  'expire-permit': expirePermit,
  'judge-silence': judgeSilence,
  'update-alert': updateAlert,
  'reopen-alert': reopenAlert,
  'assign-alert': assignAlert,
  'panel-sos': panelSos,
  unveil,
  'open-permit': openPermit,
  'close-permit': closePermit,
  'report-plant-heat': reportPlantHeat,
  'report-person-heat': reportPersonHeat,
  'report-wind': reportWind,
  'report-hazard': reportHazard,
  'warn-of-vehicle': warnOfVehicle,
  'change-worker': changeWorker,
  'change-device': changeDevice,
  'swap-watch': swapWatch,
  'start-muster': startMuster,
  'change-muster-kind': changeKind,
  'exclude-point': excludePoint,
  'reinstate-point': reinstatePoint,
  'mark-safe': markSafe,
  'inspect-plant': inspect,
  'end-muster': endMuster,
  'count-muster': countMuster,
  'issue-token': issueToken,
  'create-destination': createDestination,
  'delete-destination': (world, _stamp, command) => deleteDestination(world, command),
  'rotate-secret': rotateSecret,
  'resend-events': resendEvents,
  'test-destination': (world, _stamp, command) => testDestination(world, command),
  'change-contract': changeContract,
  'end-tokens': endTokens,
  'change-privacy': changePrivacy,
  'join-plant': joinPlant,
  'leave-plant': leavePlant,
  'keep-mail': (world, _stamp, command) => ({ changes: [keepMail(world, command)] }),
  'settle-delivery': (world, stamp, command) => ({ changes: settleDelivery(world, stamp, command) }),
};

/** The message was sent again because its PUBACK did not arrive. */
export const REPEATED = 'heard before';
/** The id was used before for a message with other content. */
export const REPEATED_DIFFERENTLY = 'heard before with other content';

export const decide = (world: World, command: Command, stamp: Stamp): Decision =>
  (RULES[command.type] as CommandRule<CommandType>)(world, stamp, command);

/**
 * The watch and the `id` of its message together identify a message that was accepted before.
 * [watch-protocol, fine print]
 */
function once<C extends Uplink & { type: CommandType }>(
  rule: (world: World, stamp: Stamp, command: C) => AlertDecision,
): (world: World, stamp: Stamp, command: C) => Decision {
  return (world, stamp, command) => {
    const id = uplinkKey(command);
    const content = contentOf(command);
    const before = world.get('heard', id);
    if (before !== undefined)
      return { changes: [], dropped: before.content === content ? REPEATED : REPEATED_DIFFERENTLY };
    const decision = rule(world, stamp, command);
    const accepted: Change = { kind: 'uplink-heard', id, at: stamp.now, content };
    return { ...decision, changes: [accepted, ...openedBy(world, command), ...decision.changes] };
  };
}

/** A higher session opens without a birth. [watch-protocol, fine print, Order] */
function openedBy(world: World, { deviceId, session = 0 }: Uplink): Change[] {
  const telemetry = world.telemetry(deviceId);
  return session > telemetry.session ? [{ kind: 'telemetry-heard', telemetry: { ...telemetry, session } }] : [];
}

/** A digest of the content of a message, without what a sender may change when it sends the message again. */
function contentOf({ deviceId: _deviceId, uplinkId: _uplinkId, session: _session, ...content }: Uplink): string {
  return sha256Hex(JSON.stringify(content)).slice(0, CONTENT_DIGITS);
}

/** A hash collision is harmless: the message is ignored as a repetition. */
const CONTENT_DIGITS = 8;
