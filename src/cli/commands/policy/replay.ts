import type { ApiTypes } from "../../../dashboard/api/routes.ts";
import { codeOf } from "../../../kernel/app-error.ts";
import { idPattern } from "../../../kernel/ids.ts";
import { type ApiClient, type ApiOptions, createApiClient } from "../../api-client.ts";
import { styleFor, toOneLine } from "../../style.ts";
import { printLine, type Terminal } from "../../terminal.ts";
import { readCase } from "../case.ts";

export interface ReplayOptions extends ApiOptions {
  readonly json?: boolean;
}

type DecisionReplay = ApiTypes["GET /decisions/{id}/replay"]["answer"];

/** `skedchange policy replay <id>`. Exit code 1 when a decision comes out otherwise than it was kept. */
export async function replay(id: string, options: ReplayOptions, terminal: Terminal): Promise<number> {
  const api = createApiClient(terminal, options);
  const replays = (idPattern.test(id) ? await replayDecision(api, id) : null) ?? (await replayCase(api, id));
  const style = styleFor(terminal);
  for (const each of replays) {
    if (options.json === true) {
      printLine(terminal.stdout, JSON.stringify(each));
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
    for (const sentence of each.because) printLine(terminal.stdout, `  - ${toOneLine(sentence)}`);
  }
  return replays.some(({ outcome }) => outcome === "different") ? 1 : 0;
}

/** Null when there is no such decision: the id may be that of a case. */
async function replayDecision(api: ApiClient, id: string): Promise<readonly DecisionReplay[] | null> {
  try {
    return [await api.call("GET /decisions/{id}/replay", { params: { id } })];
  } catch (error) {
    if (codeOf(error) === "api.decision_not_found") return null;
    throw error;
  }
}

async function replayCase(api: ApiClient, id: string): Promise<readonly DecisionReplay[]> {
  const { decisions } = await readCase(api, id);
  const replays: DecisionReplay[] = [];
  for (const { id: decisionId } of decisions.toReversed()) {
    replays.push(await api.call("GET /decisions/{id}/replay", { params: { id: decisionId } }));
  }
  return replays;
}
