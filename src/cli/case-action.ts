import { Option } from "commander";
import { type CaseActionName, caseActionNames, caseActions } from "../cases/case-actions.ts";
import {
  type CaseActionParameter,
  caseActionParameters,
  closeReasons,
  contactAnswers,
  contactChannels,
} from "../cases/case-command.ts";
import { AppError } from "../kernel/app-error.ts";
import { readEarlier, readLater } from "./read-instant.ts";

/** Options of `skedchange case` besides the one that each action has. */
export interface CaseActionOptions {
  readonly channel?: string;
  readonly at?: Date;
  readonly note?: string;
  readonly yes?: boolean;
}

interface ActedOn {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
  readonly approval: { readonly id: string } | null;
}

interface ParameterWords {
  /** The placeholder in the help, if the parameter is the value of the action's own option. */
  readonly value?: string;
  readonly read?: (text: string) => unknown;
  /** Appended to the help of the action. */
  readonly help?: string;
  readonly choices?: readonly string[];
}

const parameterWords: Readonly<Record<CaseActionParameter, ParameterWords>> = {
  confirm: { help: "; needs --yes" },
  approvalId: {},
  reasonCode: { value: "reason", choices: closeReasons },
  until: { value: "time", read: (text) => readLater(text), help: ": 2h, 3d, tomorrow, or an instant" },
  assignee: { value: "user", help: ": a user name, me or nobody" },
  channel: { help: "; with --channel and --at" },
  happenedAt: {},
  answer: { value: "answer", choices: contactAnswers },
  reference: { value: "reference" },
};

/** Every action but the note has an option; `--note` goes with all of them. */
const actionOptions = caseActionNames
  .filter((action) => action !== "note")
  .map((action) => ({ action, option: optionOf(action) }));

export function caseActionOptions(): readonly Option[] {
  return [
    ...actionOptions.map(({ option }) => option),
    new Option("--channel <channel>", "how the traveller was reached").choices(contactChannels),
    new Option("--at <time>", "when it happened: 2h for two hours ago, or an instant (default: now)").argParser(
      (text) => readEarlier(text),
    ),
    new Option("--note <text>", caseActions.note.does),
    new Option("--yes", "confirm --cancel"),
  ];
}

function optionOf(action: CaseActionName): Option {
  const parameters = parametersTaken(action).map(({ name, isOptional }) => ({ ...parameterWords[name], isOptional }));
  const given = parameters.find(({ value }) => value !== undefined);
  const flag = given === undefined ? "" : given.isOptional ? ` [${given.value}]` : ` <${given.value}>`;
  const help = parameters.map((parameter) => parameter.help ?? "").join("");
  const option = new Option(`--${action}${flag}`, `${caseActions[action].does}${help}`);
  if (given?.choices !== undefined) option.choices(given.choices);
  return given?.read === undefined ? option : option.argParser(given.read);
}

function parametersTaken(
  action: CaseActionName,
): readonly { readonly name: CaseActionParameter; readonly isOptional: boolean }[] {
  return Object.entries(caseActionParameters[action]).map(([name, schema]) => ({
    name: name as CaseActionParameter,
    isOptional: schema.safeParse(undefined).success,
  }));
}

/** Returns null if the options ask for no action, only to see the case. */
export function chooseAction(
  options: CaseActionOptions,
): { readonly action: CaseActionName; readonly given: unknown } | null {
  const values = new Map(Object.entries(options));
  const chosen = actionOptions.flatMap(({ action, option }) => {
    const given = values.get(option.attributeName());
    return given === undefined ? [] : [{ action, given }];
  });
  if (chosen.length > 1) {
    throw new AppError("cli.two_actions", `Choose one of ${chosen.map(({ action }) => `--${action}`).join(", ")}.`);
  }
  const first = chosen[0];
  const isContact = first !== undefined && "channel" in caseActionParameters[first.action];
  if (!isContact && (options.channel !== undefined || options.at !== undefined)) {
    throw new AppError("cli.no_contact", "--channel and --at go with --traveller-informed, -asked or -answered.");
  }
  return first ?? (options.note === undefined ? null : { action: "note", given: true });
}

/** @param given the value of the action's own option; `true` if it takes none */
export function parametersOf(
  action: CaseActionName,
  given: unknown,
  options: CaseActionOptions,
  found: ActedOn,
  now: Date,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    parametersTaken(action).map(({ name }) => [name, readParameter(name, given, options, found, now)]),
  );
}

function readParameter(
  name: CaseActionParameter,
  given: unknown,
  { channel, at, yes }: CaseActionOptions,
  found: ActedOn,
  now: Date,
): unknown {
  switch (name) {
    case "confirm":
      if (yes !== true) {
        throw new AppError(
          "cli.cancel_unconfirmed",
          `Cancelling order ${found.orderId} (${found.gdsBookingReferences.join(", ")}) can't be undone. Add --yes to confirm.`,
        );
      }
      return found.orderId;
    case "approvalId":
      if (found.approval === null) {
        throw new AppError(
          "cli.nothing_to_approve",
          `The case of order ${found.orderId} does not wait for an approval.`,
        );
      }
      return found.approval.id;
    case "channel":
      if (channel === undefined) {
        throw new AppError(
          "cli.channel_missing",
          `Add how the traveller was reached, with --channel: ${contactChannels.join(", ")}.`,
        );
      }
      return channel;
    case "happenedAt":
      return at ?? now;
    case "assignee":
      return given === "nobody" ? null : given;
    default:
      return given === true ? undefined : given;
  }
}
