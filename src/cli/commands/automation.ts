import type { Command } from "commander";
import type { ApiTypes } from "../../dashboard/api/routes.ts";
import { describeStopper, nameAutomation } from "../../kernel/automation-words.ts";
import { counted } from "../../kernel/counted.ts";
import { createApiClient } from "../api-client.ts";
import { addAgencyOptions, type ServerOptions } from "../server-options.ts";
import { printResponse, type Terminal } from "../terminal.ts";

type State = ApiTypes["GET /automation"]["response"];

export function addAutomationCommand(program: Command, terminal: Terminal): void {
  const automation = program
    .command("automation")
    .description("stop and resume the accepts and cancels that policies decide, of all sources or of one");

  const status = automation
    .command("status")
    .description("show whether automation is stopped, of which sources, since when, by whom and why");
  addAgencyOptions(status, terminal).action(async (options: ServerOptions) => {
    const state = await createApiClient(terminal, options).call("GET /automation", {});
    printResponse(state, options, terminal, ...describe(state));
  });

  const stop = automation
    .command("stop")
    .description("send no more accepts and cancels that policies decide; agents decide instead")
    .option(...ofSource)
    .requiredOption("--note <text>", "the reason; shown to everyone until automation is resumed");
  addAgencyOptions(stop, terminal).action(
    async ({ note, source, ...options }: ServerOptions & SourceOption & { readonly note: string }) => {
      const state = await createApiClient(terminal, options).call("POST /automation/stop", { body: { source, note } });
      printResponse(state, options, terminal, ...describe(state));
    },
  );

  const resume = automation
    .command("resume")
    .description("let policies act again. Cases that waited only because of the stop are decided again")
    .option(...ofSource);
  addAgencyOptions(resume, terminal).action(async ({ source, ...options }: ServerOptions & SourceOption) => {
    const api = createApiClient(terminal, options);
    // Names the stop that was just read, so that the server refuses if somebody stops again meanwhile.
    const { stops } = await api.call("GET /automation", {});
    // A source may have one stop of each cause: a person's, one for bad outcomes, one for the limit of an hour.
    const seen = stops.filter((each) => each.source === (source ?? null));
    let resumed = await api.call("POST /automation/resume", { body: { source, stopId: seen[0]?.id } });
    for (const { id } of seen.slice(1)) {
      resumed = await api.call("POST /automation/resume", { body: { source, stopId: id } });
    }
    printResponse(resumed, options, terminal, ...describeResumed(source ?? null, seen.length > 0, resumed));
  });
}

interface SourceOption {
  readonly source?: string;
}

const ofSource = ["--source <id>", "only of this source; not given: of all of them together"] as const;

function describe({ stops }: Pick<State, "stops">): readonly string[] {
  if (stops.length === 0) return ["Automation is on."];
  return stops.map(({ source, stoppedAt, stoppedBy, note }) => {
    const stopped = `${nameAutomation(source)} has been stopped since ${stoppedAt}`;
    return `${stopped} by ${describeStopper(stoppedBy)}: ${note}`;
  });
}

function describeResumed(
  source: string | null,
  wasStopped: boolean,
  { stops, casesDue }: ApiTypes["POST /automation/resume"]["response"],
): readonly string[] {
  const automation = nameAutomation(source);
  if (wasStopped) {
    const ended = `${automation} is resumed. ${describeCases(casesDue)}`;
    return stops.length === 0 ? [ended] : [ended, ...describe({ stops })];
  }
  if (stops.length === 0) return [`${automation} was not stopped.`];
  const nothing =
    source === null ? "There is no stop of all sources together" : `Source ${source} is not stopped by itself`;
  const how = "To resume what is stopped, name it with --source, or leave --source out:";
  return [`${nothing}. ${how}`, ...describe({ stops })];
}

function describeCases(count: number): string {
  if (count === 0) return "No case waited only because of the stop.";
  const cases = counted(
    count,
    "case that waited only because of the stop is",
    "cases that waited only because of the stop are",
  );
  return `${cases} decided again.`;
}
