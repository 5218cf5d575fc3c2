import { type Command, InvalidArgumentError, Option } from "commander";
import { type PlayedScenario, playScript } from "../../gateway/scenarios/play-script.ts";
import type { Scenario } from "../../gateway/scenarios/scenario-script.ts";
import { scenarios } from "../../gateway/scenarios/scenarios.ts";
import { AppError } from "../../kernel/app-error.ts";
import { counted } from "../../kernel/counted.ts";
import { type ControlClient, createControlClient } from "../control-client.ts";
import { createProgressBar } from "../progress-bar.ts";
import { addGatewayOptions, type ServerOptions } from "../server-options.ts";
import { countDeliveries, type DeliveryCounts, hasOrder, playOverHttp } from "../story-over-http.ts";
import { styleFor } from "../style.ts";
import { formatTable, printTable } from "../table.ts";
import { type Finish, printJson, printJsonLine, printLine, type Terminal } from "../terminal.ts";

interface ScenarioOptions extends ServerOptions {
  readonly list?: boolean;
  readonly seed?: string;
  readonly orders?: number;
  readonly pace?: number;
  readonly wait: number;
}

/** 128 + SIGINT, as shells report it. */
const interruptedExitCode = 130;

const lookEveryMs = 250;

export function addScenarioCommand(program: Command, terminal: Terminal, finish: Finish): void {
  const command = program
    .command("scenario")
    .description("play a scenario at a running gateway: it creates orders and schedule changes")
    .argument("[name]", "the scenario; see --list")
    .option("--list", "list the scenarios")
    .addOption(new Option("--seed <text>", "the same seed makes the same orders and changes").argParser(readSeed))
    .addOption(new Option("--orders <n>", "number of orders (default: that of the scenario)").argParser(readCount))
    .addOption(new Option("--pace <n>", "steps per second, or max (default: that of the scenario)").argParser(readPace))
    .addOption(
      new Option("--wait <seconds>", "how long to wait for pending notifications").argParser(readSeconds).default(30),
    );
  addGatewayOptions(command, terminal, "print the summary, or the list, as JSON").action(
    async (name: string | undefined, options: ScenarioOptions) => {
      if (options.list === true) listScenarios(options, terminal);
      else finish(await play(chooseScenario(name, options), options, terminal));
    },
  );
}

function listScenarios({ json }: ScenarioOptions, terminal: Terminal): void {
  if (json === true) {
    return printJson(
      terminal,
      scenarios.map(({ name, orders, summary }) => ({ name, orders: orders.usual, summary })),
    );
  }
  printTable(
    scenarios,
    {
      Scenario: ({ name }) => name,
      Orders: ({ orders }) => orders.usual,
      "What happens": { flexible: ({ summary }) => summary },
    },
    terminal,
    { wrap: true },
  );
}

function chooseScenario(name: string | undefined, { orders }: ScenarioOptions): Scenario {
  const names = scenarios.map((scenario) => scenario.name).join(", ");
  if (name === undefined) throw new AppError("cli.scenario_choice", `Name a scenario: ${names}.`);
  const scenario = scenarios.find((candidate) => candidate.name === name);
  if (scenario === undefined) {
    throw new AppError("cli.scenario_choice", `There is no scenario ${name}. There are: ${names}.`);
  }
  if ((orders ?? 0) > scenario.orders.max) {
    throw new AppError("cli.scenario_choice", `${name} makes at most ${scenario.orders.max} orders.`);
  }
  return scenario;
}

async function play(scenario: Scenario, options: ScenarioOptions, terminal: Terminal): Promise<number> {
  const control = createControlClient(terminal, options);
  const now = new Date();
  const seed = options.seed ?? now.getTime().toString(36);
  const script = scenario.build({ seed, orders: options.orders ?? scenario.orders.usual, now });
  const [first] = script.orders;
  if (first !== undefined && (await hasOrder(control, first.orderId))) {
    throw new AppError(
      "cli.scenario_played",
      `${scenario.name} was played with the seed ${seed} already (order ${first.orderId}). Give another --seed.`,
    );
  }
  const interruption = new AbortController();
  const off = terminal.onInterrupt(() => interruption.abort());
  const print = (line: string): void => printLine(options.json === true ? terminal.stderr : terminal.stdout, line);
  print(`${scenario.name}, seed ${seed}: ${scenario.summary}`);
  const bar = createProgressBar(terminal, "{bar} {value} of {total} orders");
  try {
    const played = await playScript(playOverHttp(control), script, {
      pause: pauseOf(options.pace ?? scenario.stepsPerSecond, interruption.signal),
      signal: interruption.signal,
      onOrder: bar.update,
      onStep: ({ title, happens }, changes) =>
        print(happens === "fault" ? title : `${title}  (${counted(changes, "order")})`),
    });
    const deliveries = await waitForDeliveries(control, played, options.wait, interruption.signal);
    if (options.json === true) printJsonLine(terminal, summaryOf(played, deliveries, seed));
    else for (const line of summaryLines(played, deliveries, terminal)) print(line);
    return played.wasStopped ? interruptedExitCode : 0;
  } finally {
    bar.stop();
    off();
  }
}

/** Returns null if steps need not wait. */
function pauseOf(stepsPerSecond: number, signal: AbortSignal): (() => Promise<void>) | null {
  return Number.isFinite(stepsPerSecond) ? () => wait(1_000 / stepsPerSecond, signal) : null;
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}

/** Waits until no notification is pending, the time is over, or Ctrl-C. */
async function waitForDeliveries(
  control: ControlClient,
  played: PlayedScenario,
  seconds: number,
  signal: AbortSignal,
): Promise<DeliveryCounts> {
  const until = performance.now() + seconds * 1_000;
  for (;;) {
    const counts = await countDeliveries(control, played);
    if (counts.pending === 0 || signal.aborted || performance.now() >= until) return counts;
    await wait(lookEveryMs, signal);
  }
}

function summaryOf(played: PlayedScenario, deliveries: DeliveryCounts, seed: string) {
  const { delivered, ...others } = deliveries;
  return {
    seed,
    orders: played.madeOrderIds.size,
    faults: played.faults,
    changes: played.changes.length,
    refused: played.refused.length,
    notifications: { acknowledged: delivered, ...others },
    stopped: played.wasStopped,
  };
}

function summaryLines(played: PlayedScenario, deliveries: DeliveryCounts, terminal: Terminal): readonly string[] {
  const style = styleFor(terminal);
  const rows = [
    ["orders made", played.madeOrderIds.size],
    ["orders that already existed", played.skippedOrderIds.size],
    ["faults set", played.faults],
    ["changes", played.changes.length],
    ["refused, because the order was already accepted or cancelled", played.refused.length],
    ["notifications acknowledged", deliveries.delivered],
    ["notifications pending", deliveries.pending],
    ["notifications superseded by a newer one", deliveries.superseded],
    ["notifications that are dead", deliveries.dead],
  ] as const;
  const always = new Set(["orders made", "changes", "notifications acknowledged", "notifications pending"]);
  const shown = rows.filter(([what, count]) => count > 0 || always.has(what));
  const isAlone = played.changes.length > 0 && played.changes.every(({ state }) => state === "no-recipient");
  return [
    "",
    ...(played.wasStopped ? [style.warn("Stopped. What has happened so far:")] : []),
    ...formatTable(
      [{ title: "SUMMARY" }, { title: "" }],
      shown.map(([what, count]) => [what, String(count)]),
      { width: null, titleStyle: style.bold },
    ),
    ...(isAlone ? ["There is no recipient, so no notification was sent. See docs/gateway.md, Recipients."] : []),
  ];
}

function readSeed(text: string): string {
  if (!/^[A-Za-z0-9]{1,20}$/.test(text)) throw new InvalidArgumentError("Give 1 to 20 letters or digits.");
  return text;
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("Give a number from 1.");
  return Number(text);
}

function readPace(text: string): number {
  if (text === "max") return Number.POSITIVE_INFINITY;
  const steps = Number(text);
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(text) || steps === 0) {
    throw new InvalidArgumentError("Give steps a second, such as 2 or 0.5, or max.");
  }
  return steps;
}

function readSeconds(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError("Give whole seconds.");
  return Number(text);
}
