import { type CaseActionName, caseActionNames } from "../../../cases/case-actions.ts";
import { type Page, type PageName, pageNames, pages } from "../../page-table.ts";
import { actionWords } from "../case/case-actions.ts";

/** Where a command exists. */
export type CommandPlace = "anywhere" | "queue" | "case" | "list";

/** The agency's pages and the gateway's. */
export type Side = "agency" | "gateway";

interface CommandWords {
  readonly title: string;
  readonly place: CommandPlace;
  /** Any of them; see `pressedKey` for how they are written. `g q` is one key after the other. */
  readonly keys?: readonly string[];
  /** The page that it opens. All other commands do what the page says that shows them. */
  readonly href?: string;
  /** The side of the page that it opens; not given: the agency. */
  readonly side?: Side;
}

const actionKeys: Readonly<Partial<Record<CaseActionName, string>>> = {
  accept: "a",
  cancel: "c",
  snooze: "s",
  assign: "A",
  note: "n",
  recheck: "r",
  reschedule: "e",
};

const ofEveryPage = {
  palette: { title: "Find a command", place: "anywhere", keys: ["Mod+k"] },
  help: { title: "Show the keys", place: "anywhere", keys: ["?"] },
} as const satisfies Readonly<Record<string, CommandWords>>;

const commands = {
  "go.gateway-health": {
    title: "Go to the health",
    place: "anywhere",
    keys: ["g h"],
    href: "/health",
    side: "gateway",
  },
  "go.gateway-recipients": {
    title: "Go to the recipients",
    place: "anywhere",
    keys: ["g r"],
    href: "/recipients",
    side: "gateway",
  },
  "go.gateway-deliveries": {
    title: "Go to the deliveries",
    place: "anywhere",
    keys: ["g d"],
    href: "/deliveries",
    side: "gateway",
  },
  "queue.search": { title: "Search", place: "queue", keys: ["/"] },
  "queue.next": { title: "Next case", place: "queue", keys: ["j"] },
  "queue.previous": { title: "Previous case", place: "queue", keys: ["k"] },
  "queue.open": { title: "Open the case", place: "queue", keys: ["Enter"] },
  "queue.select": { title: "Select the case", place: "queue", keys: ["x"] },
  "queue.select-range": { title: "Select the cases up to here", place: "queue", keys: ["X"] },
  "queue.select-all": { title: "Select all cases shown", place: "queue", keys: ["Mod+a"] },
  "queue.accept": { title: "Accept the selected cases", place: "queue", keys: ["a"] },
  "queue.cancel": { title: "Cancel the selected orders", place: "queue", keys: ["c"] },
  "queue.snooze": { title: "Snooze the selected cases", place: "queue", keys: ["s"] },
  "list.search": { title: "Search", place: "list", keys: ["/"] },
  "list.next": { title: "Next row", place: "list", keys: ["j"] },
  "list.previous": { title: "Previous row", place: "list", keys: ["k"] },
  "list.open": { title: "Open the row", place: "list", keys: ["Enter"] },
  "case.next": { title: "Next case of the list", place: "case", keys: ["j"] },
  "case.previous": { title: "Previous case of the list", place: "case", keys: ["k"] },
  "case.back": { title: "Back to the queue", place: "case", keys: ["u", "Escape"] },
  "case.assign-me": { title: "Assign to me", place: "case", keys: ["i"] },
} as const satisfies Readonly<Record<string, CommandWords>>;

type PageCommandId = {
  [Name in PageName]: (typeof pages)[Name] extends { readonly command: object } ? `go.${Name}` : never;
}[PageName];
type ActionCommandId = `case.${CaseActionName}`;
export type CommandId = keyof typeof ofEveryPage | PageCommandId | keyof typeof commands | ActionCommandId;

export function commandOf(action: CaseActionName): ActionCommandId {
  return `case.${action}`;
}

/** Every command of the pages: its words, its keys and where it exists. Buttons, keys, palette and key sheet show these. */
export const catalogue: Readonly<Record<CommandId, CommandWords>> = {
  ...ofEveryPage,
  ...(ofPages() as Record<PageCommandId, CommandWords>),
  ...commands,
  ...(ofActions() as Record<ActionCommandId, CommandWords>),
};

function ofPages(): Readonly<Record<string, CommandWords>> {
  return Object.fromEntries(
    pageNames.flatMap((name) => {
      const { path: href, command }: Page = pages[name];
      if (command === undefined) return [];
      const { title, key } = command;
      const words = { title, place: "anywhere", href } as const;
      return [[`go.${name}`, key === undefined ? words : { ...words, keys: [`g ${key}`] }]];
    }),
  );
}

function ofActions(): Readonly<Record<string, CommandWords>> {
  return Object.fromEntries(
    caseActionNames.map((action) => {
      const key = actionKeys[action];
      const words = { title: actionWords[action].title, place: "case" } as const;
      return [commandOf(action), key === undefined ? words : { ...words, keys: [key] }];
    }),
  );
}

/** Whether the side has it: pages are opened on their own side only. */
export function isOnSide(id: CommandId, side: Side): boolean {
  const { href, side: own = "agency" } = catalogue[id];
  return href === undefined || own === side;
}

export const commandIds = Object.keys(catalogue) as readonly CommandId[];
