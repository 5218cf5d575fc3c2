import { type Command, Option } from "commander";
import type { z } from "zod";
import type { actionAnswer, caseDetail, caseList } from "../../dashboard/api/answers.ts";
import { idPattern } from "../../dashboard/api/requests.ts";
import { type CaseActionName, caseActionNames } from "../../dashboard/ports.ts";
import { AppError } from "../../kernel/app-error.ts";
import { type ApiClient, createApiClient } from "../api-client.ts";
import { formatCasePage } from "../case-page.ts";
import { defaultServerUrl } from "../own-settings.ts";
import { styleFor, toOneLine } from "../style.ts";
import { printLine, type Terminal } from "../terminal.ts";

interface CaseOptions {
  readonly url: string;
  readonly token?: string;
  readonly accept?: boolean;
  readonly cancel?: boolean;
  readonly close?: boolean;
  readonly recheck?: boolean;
  readonly confirmEffect?: boolean;
  readonly refuteEffect?: boolean;
  readonly note?: string;
  readonly yes?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

type CaseDetail = z.infer<typeof caseDetail>;

/** `skedchange case <id>`: one case with everything behind it, or a person's action on it. */
export function addCaseCommand(program: Command, terminal: Terminal): void {
  program
    .command("case")
    .description("show a case, or act on it")
    .argument("<id>", "the id of the case, or an OrderID for its newest case")
    .option("--accept", "accept the airline's change at the gateway")
    .option("--cancel", "cancel the order at the gateway; needs --yes")
    .option("--close", "end the case without calling the gateway")
    .option("--recheck", "read the reservation's status again and decide anew")
    .option("--confirm-effect", "an unknown outcome: it did happen, as you have checked")
    .option("--refute-effect", "an unknown outcome: it did not happen, as you have checked")
    .option("--note <text>", "why; kept with the action")
    .addOption(new Option("--yes", "confirm --cancel"))
    .option("--all", "show every fact, not only those that say something")
    .option("--url <url>", "the agency side", defaultServerUrl(terminal))
    .option("--token <token>", "API token (not given: API_TOKEN, else the demo's)")
    .option("--json", "print the answer of the API")
    .action((id: string, options: CaseOptions) => showOrAct(id, options, terminal));
}

async function showOrAct(id: string, options: CaseOptions, terminal: Terminal): Promise<void> {
  const action = chooseAction(options);
  if (action === null && options.note !== undefined) {
    throw new AppError("cli.note_alone", "--note goes with an action, such as --close.");
  }
  const api = createApiClient(terminal, options);
  const found = await readCase(api, id);
  const print = (text: string): void => printLine(terminal.stdout, text);
  if (action === null) {
    if (options.json === true) {
      print(JSON.stringify(found, null, 2));
      return;
    }
    const style = styleFor(terminal);
    const width = terminal.stdout.isTTY === true ? (terminal.stdout.columns ?? 80) : null;
    for (const line of formatCasePage(found, { style, width, allFacts: options.all === true })) print(line);
    return;
  }
  if (action === "cancel" && options.yes !== true) {
    throw new AppError(
      "cli.cancel_unconfirmed",
      `Cancelling order ${found.orderId} (${found.gdsBookingReferences.join(", ")}) cannot be undone. Add --yes to do it.`,
    );
  }
  // Acts on what was just read: if the case moves meanwhile, the server refuses.
  const answer = await api.post<z.infer<typeof actionAnswer>>(`/api/v1/cases/${found.id}/actions`, {
    action,
    version: found.version,
    ...(options.note === undefined ? {} : { note: options.note }),
  });
  print(
    options.json === true
      ? JSON.stringify(answer, null, 2)
      : `Taken on: ${action} of order ${found.orderId}. The case is now '${toOneLine(answer.state)}'. See it with: npx skedchange case ${found.id}`,
  );
}

function chooseAction(options: CaseOptions): CaseActionName | null {
  const asked: Readonly<Record<CaseActionName, boolean | undefined>> = {
    accept: options.accept,
    cancel: options.cancel,
    close: options.close,
    recheck: options.recheck,
    "confirm-effect": options.confirmEffect,
    "refute-effect": options.refuteEffect,
  };
  const chosen = caseActionNames.filter((name) => asked[name] === true);
  if (chosen.length > 1) {
    throw new AppError("cli.two_actions", `Choose one of ${chosen.map((name) => `--${name}`).join(", ")}.`);
  }
  return chosen[0] ?? null;
}

/** A case by its id, or the newest one of an OrderID. */
export async function readCase(api: ApiClient, id: string): Promise<CaseDetail> {
  if (idPattern.test(id)) return await api.get<CaseDetail>(`/api/v1/cases/${id}`);
  const page = await api.get<z.infer<typeof caseList>>("/api/v1/cases", { orderId: id, limit: "1" });
  const newest = page.items[0];
  if (newest === undefined) {
    throw new AppError(
      "cli.case_not_found",
      `There is no case for an order '${id}', and it is no id of a case. \`npx skedchange cases\` lists them.`,
    );
  }
  return await api.get<CaseDetail>(`/api/v1/cases/${newest.id}`);
}
