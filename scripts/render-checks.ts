import { rulesChecks, sendingChecks, statusChecks } from "../src/cases/checks.ts";
import { furtherReviews } from "../src/cases/decision.ts";
import { starts } from "../src/cases/next-step.ts";
import { priorities } from "../src/cases/priority.ts";

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
  const taken = '  taken(["the order is taken: its lease and its context"]) --> when0';
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

/** The reviews of `docs/architecture.md` that no row of the checks finds. */
export function renderFurtherReviews(): string {
  const rows = furtherReviews.map(({ rule, when }) => `| \`${rule}\` | ${when} |`);
  return ["| Rule | When |", "|---|---|", ...rows, ""].join("\n");
}

/** The table of priorities in `docs/clocks.md`. */
export function renderPriorities(): string {
  const rows = priorities.map(({ priority, when }) => `| ${priority} | ${when} |`);
  return ["| Priority | When |", "|---|---|", ...rows, ""].join("\n");
}

const everything = 7;

function describeWanted(wanted: readonly string[]): string {
  if (wanted.length === everything) return "everything";
  return wanted.map((name) => (name === "close-departed" ? "closing after departure" : name)).join(", ");
}
