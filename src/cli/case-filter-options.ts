import { Option } from "commander";
import { z } from "zod";
import { caseListQuery } from "../dashboard/case-filter-ports.ts";
import { namesListedBy } from "../dashboard/request-fields.ts";
import { readInstant } from "./read-instant.ts";

type QueryName = keyof typeof caseListQuery.shape;
type FilterName = Exclude<QueryName, "order" | "cursor" | "limit">;

/** The filters of `GET /cases`, as it takes them. */
type CaseFilters = Partial<Record<FilterName, string>>;

/** An option for each filter of `GET /cases`, by its name there and described as there. */
export function caseFilterOptions(): readonly Option[] {
  return filterOptions.map(({ option }) => option);
}

/** @param options by the names that commander gives them */
export function chosenCaseFilters(options: object): CaseFilters {
  const values = new Map<string, unknown>(Object.entries(options));
  const chosen = filterOptions.map(({ name, option }) => [name, values.get(option.attributeName())] as const);
  return Object.fromEntries(chosen.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

/** The rest of the query: `--limit` and `--cursor` are those of every list. */
const noFilters: ReadonlySet<string> = new Set<QueryName>(["order", "cursor", "limit"]);

/** Those that have another name here than in the query. */
const otherNames: Readonly<Record<string, string>> = { orderId: "order", q: "search" };

const described = z.toJSONSchema(caseListQuery, { io: "input", unrepresentable: "any" }).properties ?? {};

const filterOptions = Object.keys(described)
  .filter((name): name is FilterName => !noFilters.has(name))
  .map((name) => ({ name, option: optionOf(name) }));

function optionOf(name: FilterName): Option {
  const schema = described[name];
  const { description = "", format, enum: choices } = typeof schema === "object" ? schema : {};
  const flag = flagOf(name);
  if (choices?.includes("true") === true) return new Option(flag, inHelp(description));
  const names = namesListedBy(caseListQuery.shape[name]);
  if (names !== null) {
    const option = new Option(`${flag} <${name}>`, "only these, separated by commas");
    // The help and completion name them. Set by `choices`, commander would refuse several.
    option.argChoices = [...names];
    return option;
  }
  if (format === "date-time") {
    return new Option(`${flag} <instant>`, inHelp(description)).argParser((text) => readInstant(text).toISOString());
  }
  return new Option(`${flag} <${/[^-]+$/.exec(flag)?.[0]}>`, inHelp(description));
}

function flagOf(name: string): string {
  return `--${(otherNames[name] ?? name).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The first sentence, as help has it: without its capital and its full stop, and filters by their options. */
function inHelp(description: string): string {
  const [sentence = ""] = description.split(/\.(?:\s|$)/);
  return sentence
    .replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase())
    .replaceAll(/`([^`]+)`/g, (_, word: string) => (word in described ? flagOf(word) : word));
}
