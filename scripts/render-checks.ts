import { rulesChecks, sendingChecks, statusChecks } from "../src/cases/checks.ts";

/** The table of checks in `docs/architecture.md`, in the order in which they are asked. */
export function renderChecks(): string {
  const rows = [
    ...statusChecks.map((check) => ["the status", check, "every change"] as const),
    ...rulesChecks.map((check) => ["what the rules want", check, describeWanted(check.for)] as const),
    ...sendingChecks.map((check) => ["what is about to be sent", check, "accept, cancel"] as const),
  ];
  return [
    "| Asked of | For | Check | It objects when |",
    "|---|---|---|---|",
    ...rows.map(([asked, { id, when }, wanted]) => `| ${asked} | ${wanted} | \`${id}\` | ${when} |`),
    "",
  ].join("\n");
}

const everything = 7;

function describeWanted(wanted: readonly string[]): string {
  if (wanted.length === everything) return "everything";
  return wanted.map((name) => (name === "close-departed" ? "closing after departure" : name)).join(", ");
}
