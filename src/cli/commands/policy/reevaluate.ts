import type { ApiTypes } from "../../../dashboard/api/routes.ts";
import { codeOf } from "../../../kernel/app-error.ts";
import { idPattern } from "../../../kernel/ids.ts";
import { type ApiClient, createApiClient } from "../../api-client.ts";
import type { ServerOptions } from "../../server-options.ts";
import { styleFor } from "../../style.ts";
import { printJson, printLine, type Terminal } from "../../terminal.ts";
import { readCase } from "../case.ts";

type DecisionReevaluation = ApiTypes["GET /decisions/{id}/replay"]["response"];

/** Returns the exit code: 1 if a decision differs from the stored one. */
export async function reevaluate(id: string, options: ServerOptions, terminal: Terminal): Promise<number> {
  const api = createApiClient(terminal, options);
  const reevaluations =
    (idPattern.test(id) ? await reevaluateDecision(api, id) : null) ?? (await reevaluateCase(api, id));
  const style = styleFor(terminal);
  for (const each of reevaluations) {
    if (options.json === true) {
      printJson(terminal, each);
      continue;
    }
    const { action, reviewQueue, rule } = each.stored;
    const outcome =
      each.outcome === "same"
        ? style.good("same")
        : each.outcome === "different"
          ? style.bad("different")
          : each.outcome;
    const queue = reviewQueue === null ? "" : ` in queue ${reviewQueue}`;
    printLine(terminal.stdout, `${each.decisionId}  ${action}${queue}, rule ${rule}: ${outcome}`);
    for (const sentence of each.because) printLine(terminal.stdout, `  - ${sentence}`);
  }
  return reevaluations.some(({ outcome }) => outcome === "different") ? 1 : 0;
}

/** Returns null if there is no such decision: the id may be that of a case. */
async function reevaluateDecision(api: ApiClient, id: string): Promise<readonly DecisionReevaluation[] | null> {
  try {
    return [await api.call("GET /decisions/{id}/replay", { params: { id } })];
  } catch (error) {
    if (codeOf(error) === "api.decision_not_found") return null;
    throw error;
  }
}

async function reevaluateCase(api: ApiClient, id: string): Promise<readonly DecisionReevaluation[]> {
  const { decisions } = await readCase(api, id);
  const reevaluations: DecisionReevaluation[] = [];
  for (const { id: decisionId } of decisions.toReversed()) {
    reevaluations.push(await api.call("GET /decisions/{id}/replay", { params: { id: decisionId } }));
  }
  return reevaluations;
}
