import { type Command, Option } from "commander";
import type { z } from "zod";
import { type CaseActionName, closeReasons, contactAnswers, contactChannels } from "../../cases/case-command.ts";
import type { actionAnswer, caseDetail, caseList } from "../../dashboard/api/answers.ts";
import { AppError } from "../../kernel/app-error.ts";
import { idPattern } from "../../kernel/ids.ts";
import { type ApiClient, createApiClient } from "../api-client.ts";
import { type CaseActionOptions, chooseAction, parametersOf } from "../case-action.ts";
import { formatCasePage } from "../case-page.ts";
import { defaultServerUrl } from "../own-settings.ts";
import { readInstant } from "../read-instant.ts";
import { styleFor, toOneLine } from "../style.ts";
import { printLine, type Terminal } from "../terminal.ts";

interface CaseOptions extends CaseActionOptions {
  readonly url: string;
  readonly token?: string;
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
    .option("--close [reason]", `end the case without calling the gateway: ${closeReasons.join(", ")}`)
    .option("--recheck", "read the reservation's status again and decide anew")
    .option("--confirm-effect", "an unknown outcome: it did happen, as you have checked")
    .option("--refute-effect", "an unknown outcome: it did not happen, as you have checked")
    .option("--approve", "agree, as the second person, to what somebody has asked for")
    .option("--refuse-approval", "do not agree to it")
    .option("--snooze <instant>", "put it off until then", readInstant)
    .option("--assign <user>", "say who works on it: a user name, me, or nobody")
    .option("--reschedule", "hand it to those who rebook")
    .option("--resolved-elsewhere", "it is settled at the airline, as you have checked")
    .option("--reopen", "open the next case of the order")
    .option("--stop", "keep back an automatic effect that is not sent yet")
    .option("--traveller-informed", "the traveller was told; with --channel and --at")
    .option("--traveller-asked", "the traveller was asked; with --channel and --at")
    .option("--traveller-answered <answer>", `with --channel and --at: ${contactAnswers.join(", ")}`)
    .option("--channel <channel>", `how the traveller was reached: ${contactChannels.join(", ")}`)
    .option("--at <instant>", "when that was (not given: now)", readInstant)
    .option("--note <text>", "why; kept with the action. Alone it is added to the case")
    .addOption(new Option("--yes", "confirm --cancel"))
    .option("--all", "show every fact, not only those that say something")
    .option("--url <url>", "the agency side", defaultServerUrl(terminal))
    .option("--token <token>", "API token (not given: API_TOKEN, else the demo's)")
    .option("--json", "print the answer of the API")
    .action((id: string, options: CaseOptions) => showOrAct(id, options, terminal));
}

async function showOrAct(id: string, options: CaseOptions, terminal: Terminal): Promise<void> {
  const action = chooseAction(options);
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
  const parameters = parametersOf(action, options, found, new Date());
  // Acts on what was just read: if the case moves meanwhile, the server refuses.
  const answer = await api.post<z.infer<typeof actionAnswer>>(`/api/v1/cases/${found.id}/actions`, {
    action,
    ...parameters,
    version: found.version,
    ...(options.note === undefined ? {} : { note: options.note }),
  });
  print(options.json === true ? JSON.stringify(answer, null, 2) : describeAnswer(action, found, answer));
}

function describeAnswer(
  action: CaseActionName,
  { orderId }: CaseDetail,
  { caseId, state, approval }: z.infer<typeof actionAnswer>,
): string {
  const look = `See it with: npx skedchange case ${caseId}`;
  if (approval !== undefined) {
    return `The ${action} of order ${orderId} takes a second person, who says: npx skedchange case ${caseId} --approve`;
  }
  return `Taken on: ${action} of order ${orderId}. The case is now '${toOneLine(state)}'. ${look}`;
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
