import { type Command, Option } from "commander";
import { policyRoleNames } from "../../../dashboard/policy-ports.ts";
import { readEarlier, readInstant } from "../../read-instant.ts";
import { addAgencyOptions, type ServerOptions } from "../../server-options.ts";
import type { Finish, Terminal } from "../../terminal.ts";
import { type BacktestOptions, backtest, readMinutes } from "./backtest.ts";
import { type CheckOptions, check } from "./check.ts";
import { type ExplainOptions, explain } from "./explain.ts";
import { type ActivateOptions, activate, list } from "./lifecycle.ts";
import { reevaluate } from "./reevaluate.ts";

export function addPolicyCommand(program: Command, terminal: Terminal, finish: Finish): void {
  const policy = program.command("policy").description("check, explain, compare and activate policies");
  const now = (): Option =>
    new Option("--now <instant>", "decide as of this instant, such as 2027-01-01T00:00:00Z").argParser(readInstant);

  policy
    .command("check <file>")
    .description("check a policy for mistakes. Exit code 1 if it has any")
    .option("--json", "print the result as JSON")
    .action(async (file: string, options: CheckOptions) => finish(await check(file, options, terminal)));

  policy
    .command("explain <ocn>")
    .description("show what a policy would do with a notification and why, without a server; - reads standard input")
    .option("--policy <file>", "a file, or a shipped policy (default: cautious)")
    .option("--status <file>", "the response of AirReservationStatus for the same order")
    .option("--source <source>", "as if this source had sent it", "default")
    .option("--url <url>", "take the marks of the source from this agency side; without it, those that are shipped")
    .option("--token <token>", "API token (default: API_TOKEN, else that of the demo)")
    .option("--marks <file>", "members that are harmless for the source, beside the shipped ones, as YAML or JSON")
    .addOption(now().default(new Date(), "now"))
    .option("--json", "print the decision for each order as JSON")
    .action((file: string, options: ExplainOptions) => explain(file, options, terminal));

  addAgencyOptions(policy.command("list"), terminal)
    .description("list the active and shadow policy of each source, and all stored versions")
    .action((options: ServerOptions) => list(options, terminal));

  for (const role of policyRoleNames) {
    const name = role === "active" ? "activate" : "shadow";
    const command = addAgencyOptions(policy.command(`${name} ${role === "active" ? "<policy>" : "[policy]"}`), terminal)
      .description(
        role === "active"
          ? "activate a policy: a file, a shipped policy, or the first digits of a stored version"
          : "compare a policy with the active one without acting on it; --off ends that",
      )
      .requiredOption("--note <text>", "the reason; stored with the change")
      .option("--source <source>", "for this source", "default");
    if (role === "shadow") command.option("--off", "remove the shadow policy");
    command.action((chosen: string | undefined, options: ActivateOptions) => activate(role, chosen, options, terminal));
  }

  addAgencyOptions(policy.command("reevaluate <id>").alias("replay"), terminal)
    .description(
      "reevaluate a decision, or every decision of a case, from the stored inputs. Exit code 1 if any differs",
    )
    .action(async (id: string, options: ServerOptions) => finish(await reevaluate(id, options, terminal)));

  policy
    .command("backtest")
    .description("evaluate another policy over stored notifications, or those of a folder, and show what would differ")
    .requiredOption("--policy <file>", "the policy to try: a file, or a shipped one")
    .option("--against <what>", "active, stored (the decisions that were made), a file or a shipped policy", "active")
    .addOption(
      new Option("--folder <dir>", "notifications as .json files, instead of the stored ones").conflicts([
        "since",
        "until",
      ]),
    )
    .addOption(
      new Option("--since <time>", "received since then: 7d, or an instant").argParser((text) => readEarlier(text)),
    )
    .addOption(new Option("--until <time>", "received before then").argParser((text) => readEarlier(text)))
    .addOption(now())
    .option("--source <source>", "only this source; with --folder, as if it had sent them")
    .addOption(
      new Option("--minutes-per-review <n>", "minutes that an agent needs for one case").argParser(readMinutes),
    )
    .addOption(
      new Option("--report <what>", "what would differ, or how much is settled without an agent")
        .choices(["differences", "automation"])
        .default("differences"),
    )
    .addOption(new Option("--json", "the report as JSON").conflicts("html"))
    .option("--html", "the report as a page")
    .option("--out <file>", "write the report to this file instead of printing it")
    .action((options: BacktestOptions) => backtest(options, terminal));
}
