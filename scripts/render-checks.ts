import { rulesChecks, sendingChecks, statusChecks } from "../src/cases/checks.ts";
import { starts } from "../src/cases/next-step.ts";

/** How a run begins, as a picture: the first condition that holds says what is done. */
export function renderStarts(): string {
  const nodes = starts.flatMap(({ when, does }, index) => {
    const isLast = index === starts.length - 1;
    return [
      isLast ? "" : `  when${index}{"${when}?"} -- yes --> does${index}["${does}"]`,
      isLast
        ? ""
        : `  when${index} -- no --> ${index === starts.length - 2 ? `does${index + 1}["${starts[index + 1]!.does}"]` : `when${index + 1}`}`,
    ];
  });
  const taken = '  taken(["the order is taken: lease and everything known of it"]) --> when0';
  return ["```mermaid", "flowchart TD", taken, ...nodes.filter((line) => line !== ""), "```", ""].join("\n");
}

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
