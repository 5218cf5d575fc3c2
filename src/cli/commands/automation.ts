import type { Command } from "commander";
import type { ApiTypes } from "../../dashboard/api/routes.ts";
import { type ApiOptions, createApiClient } from "../api-client.ts";
import { addApiOptions } from "../list-page.ts";
import { toOneLine } from "../style.ts";
import { printLine, type Terminal } from "../terminal.ts";

type State = ApiTypes["GET /automation"]["answer"];

interface StateOptions extends ApiOptions {
  readonly json?: boolean;
}

/** `skedchange automation`: the one switch for all automatic effects. */
export function addAutomationCommand(program: Command, terminal: Terminal): void {
  const automation = program
    .command("automation")
    .description("stop and resume every accept and cancel that rules decide, of all sources");

  const status = automation.command("status").description("say whether they are stopped, since when, by whom and why");
  addApiOptions(status, terminal).action(async (options: StateOptions) => {
    const state = await createApiClient(terminal, options).call("GET /automation", {});
    print(state, describe(state), options, terminal);
  });

  const stop = automation
    .command("stop")
    .description("send nothing more that rules decide; what they want done is for people. People go on as ever")
    .requiredOption("--note <text>", "why; shown to everybody until somebody resumes");
  addApiOptions(stop, terminal).action(async ({ note, ...options }: StateOptions & { readonly note: string }) => {
    const state = await createApiClient(terminal, options).call("POST /automation/stop", { body: { note } });
    print(state, describe(state), options, terminal);
  });

  const resume = automation
    .command("resume")
    .description("let rules act again; cases that waited only because of the stop are decided anew");
  addApiOptions(resume, terminal).action(async (options: StateOptions) => {
    const api = createApiClient(terminal, options);
    // Ends the stop that was just read: if somebody stops again meanwhile, the server refuses.
    const { stop: seen } = await api.call("GET /automation", {});
    const resumed = await api.call("POST /automation/resume", { body: seen === null ? {} : { stopId: seen.id } });
    const text =
      seen === null
        ? "Automatic effects were not stopped."
        : `Automatic effects are sent again. ${describeCases(resumed.casesDue)}`;
    print(resumed, text, options, terminal);
  });
}

function print(answer: object, text: string, { json }: StateOptions, { stdout }: Terminal): void {
  printLine(stdout, json === true ? JSON.stringify(answer, null, 2) : text);
}

function describe({ stop }: State): string {
  if (stop === null) return "Automatic effects are sent.";
  const by = toOneLine(stop.stoppedBy.replace(/^person:/, ""));
  return `Automatic effects are stopped since ${stop.stoppedAt} by ${by}: ${toOneLine(stop.note)}`;
}

function describeCases(count: number): string {
  if (count === 0) return "No case waited only because of the stop.";
  return `${count} ${count === 1 ? "case that waited only because of the stop is" : "cases that waited only because of the stop are"} decided anew.`;
}
