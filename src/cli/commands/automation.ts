import type { Command } from "commander";
import type { ApiTypes } from "../../dashboard/api/routes.ts";
import { createApiClient } from "../api-client.ts";
import { addAgencyOptions, type ServerOptions } from "../server-options.ts";
import { toOneLine } from "../style.ts";
import { printLine, type Terminal } from "../terminal.ts";

type State = ApiTypes["GET /automation"]["response"];

export function addAutomationCommand(program: Command, terminal: Terminal): void {
  const automation = program
    .command("automation")
    .description("stop and resume all accepts and cancels that policies decide, for all sources");

  const status = automation
    .command("status")
    .description("show whether automation is stopped, since when, by whom and why");
  addAgencyOptions(status, terminal).action(async (options: ServerOptions) => {
    const state = await createApiClient(terminal, options).call("GET /automation", {});
    print(state, describe(state), options, terminal);
  });

  const stop = automation
    .command("stop")
    .description("send no more accepts and cancels that policies decide; agents decide instead")
    .requiredOption("--note <text>", "the reason; shown to everyone until automation is resumed");
  addAgencyOptions(stop, terminal).action(async ({ note, ...options }: ServerOptions & { readonly note: string }) => {
    const state = await createApiClient(terminal, options).call("POST /automation/stop", { body: { note } });
    print(state, describe(state), options, terminal);
  });

  const resume = automation
    .command("resume")
    .description("let policies act again. Cases that waited only because of the stop are decided again");
  addAgencyOptions(resume, terminal).action(async (options: ServerOptions) => {
    const api = createApiClient(terminal, options);
    // Names the stop that was just read, so that the server refuses if somebody stops again meanwhile.
    const { stop: seen } = await api.call("GET /automation", {});
    const resumed = await api.call("POST /automation/resume", { body: seen === null ? {} : { stopId: seen.id } });
    const text =
      seen === null ? "Automation was not stopped." : `Automation is resumed. ${describeCases(resumed.casesDue)}`;
    print(resumed, text, options, terminal);
  });
}

function print(response: object, text: string, { json }: ServerOptions, { stdout }: Terminal): void {
  printLine(stdout, json === true ? JSON.stringify(response, null, 2) : text);
}

function describe({ stop }: State): string {
  if (stop === null) return "Automation is on.";
  const by = toOneLine(stop.stoppedBy.replace(/^person:/, ""));
  return `Automation has been stopped since ${stop.stoppedAt} by ${by}: ${toOneLine(stop.note)}`;
}

function describeCases(count: number): string {
  if (count === 0) return "No case waited only because of the stop.";
  return `${count} ${count === 1 ? "case that waited only because of the stop is" : "cases that waited only because of the stop are"} decided again.`;
}
