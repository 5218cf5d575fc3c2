import type { Command } from "commander";
import { type ActionInput, describeActionResult } from "../../cases/action-result.ts";
import type { CaseActionName } from "../../cases/case-actions.ts";
import { isFinished, storedStateOf } from "../../cases/lifecycle.ts";
import { obstacleInState } from "../../cases/possible-actions.ts";
import type { ApiTypes } from "../../dashboard/api/routes.ts";
import { AppError, codeOf } from "../../kernel/app-error.ts";
import { idPattern } from "../../kernel/ids.ts";
import { type ApiClient, createApiClient } from "../api-client.ts";
import { type CaseActionOptions, caseActionOptions, chooseAction, parametersOf } from "../case-action.ts";
import { formatCasePage, formatInstant } from "../case-page.ts";
import { addAgencyOptions, type ServerOptions } from "../server-options.ts";
import { styleFor } from "../style.ts";
import { printResponse, type Terminal } from "../terminal.ts";

interface CaseOptions extends CaseActionOptions, ServerOptions {
  readonly all?: boolean;
}

type CaseDetail = ApiTypes["GET /cases/{id}"]["response"];
type ActionRequest = ApiTypes["POST /cases/{id}/actions"]["body"];
type ActionParameters = Readonly<Record<string, unknown>>;
type ActionResponse = ApiTypes["POST /cases/{id}/actions"]["response"];

export function addCaseCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("case")
    .description("show a case, or act on it")
    .argument("<id>", "the id of the case, or an OrderID for its newest case");
  for (const option of caseActionOptions()) command.addOption(option);
  command.option("--all", "show every fact, rule, notification and event, not only what a decision needs");
  addAgencyOptions(command, terminal).action((id: string, options: CaseOptions) => showOrAct(id, options, terminal));
}

async function showOrAct(id: string, options: CaseOptions, terminal: Terminal): Promise<void> {
  const chosen = chooseAction(options);
  const api = createApiClient(terminal, options);
  const found = await readCase(api, id);
  if (chosen === null) {
    const width = terminal.stdout.isTTY === true ? (terminal.stdout.columns ?? 80) : null;
    const page = formatCasePage(found, { style: styleFor(terminal), width, all: options.all === true });
    return printResponse(found, options, terminal, ...page);
  }
  const { action, given } = chosen;
  const obstacle = isFinished(storedStateOf(found.state)) ? obstacleInState(action, found.state, found.id) : null;
  if (obstacle !== null) throw new AppError("cli.case_finished", obstacle.replace("Use reopen", "Use --reopen"));
  const parameters = parametersOf(action, given, options, found, new Date());
  // Names what was just read, so that the server refuses if the case changes meanwhile.
  const response = await act(api, found.id, {
    action,
    ...parameters,
    version: found.version,
    ...(options.note === undefined ? {} : { note: options.note }),
  } as ActionRequest);
  printResponse(response, options, terminal, describeResponse(action, parameters, found, response));
}

async function act(api: ApiClient, id: string, body: ActionRequest): Promise<ActionResponse> {
  try {
    return await api.call("POST /cases/{id}/actions", { params: { id }, body });
  } catch (error) {
    const isMe = body.action === "assign" && body.assignee === "me";
    if (!isMe || codeOf(error) !== "desk.assignee_unknown") throw error;
    throw new AppError(
      "cli.nobody_to_assign",
      "The token belongs to no person who can act on cases. Name a user instead of `me`: npx skedchange users list",
      { cause: error },
    );
  }
}

function describeResponse(
  action: CaseActionName,
  parameters: ActionParameters,
  { orderId }: CaseDetail,
  { caseId, state, approval }: ActionResponse,
): string {
  const look = `See it with: npx skedchange case ${caseId}`;
  if (approval !== undefined) {
    return `The ${action} of order ${orderId} needs approval by a second person, with their own token: npx skedchange case ${caseId} --approve --token <token>`;
  }
  const result = describeActionResult(action, givenOf(parameters), formatInstant);
  return `Order ${orderId}: ${result} The case is now '${state}'. ${look}`;
}

function givenOf({ assignee, until }: ActionParameters): ActionInput {
  return {
    assignee: typeof assignee === "string" ? assignee : null,
    until: until instanceof Date ? until.toISOString() : null,
  };
}

/** @param id of a case, or an OrderID for its newest case */
export async function readCase(api: ApiClient, id: string): Promise<CaseDetail> {
  if (idPattern.test(id)) return await api.call("GET /cases/{id}", { params: { id } });
  const page = await api.call("GET /cases", { query: { orderId: id, limit: 1 } });
  const newest = page.items[0];
  if (newest === undefined) {
    throw new AppError(
      "cli.case_not_found",
      `There is no case with the OrderID or case id '${id}'. List cases with \`npx skedchange cases\`.`,
    );
  }
  return await api.call("GET /cases/{id}", { params: { id: newest.id } });
}
