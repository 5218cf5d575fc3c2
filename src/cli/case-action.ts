import { type CaseActionName, caseActionNames, contactChannels } from "../cases/case-command.ts";
import { AppError } from "../kernel/app-error.ts";

/** Options of `skedchange case` that act. An option without a value is `true`. */
export interface CaseActionOptions {
  readonly accept?: true;
  readonly cancel?: true;
  readonly close?: true | string;
  readonly recheck?: true;
  readonly confirmEffect?: true;
  readonly refuteEffect?: true;
  readonly approve?: true;
  readonly refuseApproval?: true;
  readonly snooze?: Date;
  readonly assign?: string;
  readonly reschedule?: true;
  readonly resolvedElsewhere?: true;
  readonly reopen?: true;
  readonly stop?: true;
  readonly travellerInformed?: true;
  readonly travellerAsked?: true;
  readonly travellerAnswered?: string;
  readonly channel?: string;
  readonly at?: Date;
  readonly note?: string;
  readonly yes?: boolean;
}

/** What the action needs to know of the case that it is about. */
interface ActedOn {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
  readonly approval: { readonly id: string } | null;
}

/** The action that the options ask for; null when they only want to see the case. A note alone is added to it. */
export function chooseAction(options: CaseActionOptions): CaseActionName | null {
  const asked: Readonly<Record<Exclude<CaseActionName, "note">, unknown>> = {
    accept: options.accept,
    cancel: options.cancel,
    close: options.close,
    recheck: options.recheck,
    "confirm-effect": options.confirmEffect,
    "refute-effect": options.refuteEffect,
    approve: options.approve,
    "refuse-approval": options.refuseApproval,
    snooze: options.snooze,
    assign: options.assign,
    reschedule: options.reschedule,
    "resolved-elsewhere": options.resolvedElsewhere,
    reopen: options.reopen,
    stop: options.stop,
    "traveller-informed": options.travellerInformed,
    "traveller-asked": options.travellerAsked,
    "traveller-answered": options.travellerAnswered,
  };
  const chosen = caseActionNames.filter((name) => name !== "note" && asked[name] !== undefined);
  if (chosen.length > 1) {
    throw new AppError("cli.two_actions", `Choose one of ${chosen.map((name) => `--${name}`).join(", ")}.`);
  }
  const isContact = chosen[0]?.startsWith("traveller-") === true;
  if (!isContact && (options.channel !== undefined || options.at !== undefined)) {
    throw new AppError("cli.no_contact", "--channel and --at go with --traveller-informed, -asked or -answered.");
  }
  return chosen[0] ?? (options.note === undefined ? null : "note");
}

/** The parameters of the action, for the body of the request. */
export function parametersOf(
  action: CaseActionName,
  options: CaseActionOptions,
  found: ActedOn,
  now: Date,
): Readonly<Record<string, unknown>> {
  switch (action) {
    case "cancel":
      if (options.yes !== true) {
        throw new AppError(
          "cli.cancel_unconfirmed",
          `Cancelling order ${found.orderId} (${found.gdsBookingReferences.join(", ")}) cannot be undone. Add --yes to do it.`,
        );
      }
      return { confirm: found.orderId };
    case "close":
      return typeof options.close === "string" ? { reasonCode: options.close } : {};
    case "approve":
    case "refuse-approval":
      if (found.approval === null) {
        throw new AppError("cli.nothing_to_approve", `The case of order ${found.orderId} waits for no second person.`);
      }
      return { approvalId: found.approval.id };
    case "snooze":
      return { until: options.snooze?.toISOString() };
    case "assign":
      return { assignee: options.assign === "nobody" ? null : options.assign };
    case "traveller-informed":
    case "traveller-asked":
      return contactOf(options, now);
    case "traveller-answered":
      return { ...contactOf(options, now), answer: options.travellerAnswered };
    default:
      return {};
  }
}

function contactOf({ channel, at }: CaseActionOptions, now: Date): Readonly<Record<string, unknown>> {
  if (channel === undefined) {
    throw new AppError("cli.channel_missing", `Say how with --channel: ${contactChannels.join(", ")}.`);
  }
  return { channel, happenedAt: (at ?? now).toISOString() };
}
