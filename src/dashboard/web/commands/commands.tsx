import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { flushSync } from "react-dom";
import { useLocation } from "wouter";
import { type CommandId, catalogue, commandIds, isOnSide, type Side } from "./catalogue.ts";
import "./commands.css";
import { KeySheet } from "./key-sheet.tsx";
import { Palette } from "./palette.tsx";
import { pressedKey } from "./pressed-key.ts";

/** What a command does on the page that is shown. */
export interface Command {
  /** Why it is not possible now; null or missing if it is. */
  readonly obstacle?: string | null;
  readonly run: (by: "key" | "pointer") => void;
}

export type Commands = { readonly [Id in CommandId]?: Command };

interface Registry {
  find(id: CommandId): Command | undefined;
  /** Later ones come first. @returns takes them back */
  add(commands: { readonly current: Commands }): () => void;
  changed(): void;
  subscribe(listener: () => void): () => void;
}

function createRegistry(): Registry {
  const added: { readonly current: Commands }[] = [];
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    find: (id) => added.findLast(({ current }) => current[id] !== undefined)?.current[id],
    add(commands) {
      added.push(commands);
      return () => {
        added.splice(added.indexOf(commands), 1);
        changed();
      };
    },
    changed,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const RegistryContext = createContext<Registry | null>(null);

function useRegistry(): Registry {
  const registry = useContext(RegistryContext);
  if (registry === null) throw new Error("Commands are used outside of CommandsProvider");
  return registry;
}

/** Makes the commands possible as long as the component is shown. */
export function useCommands(commands: Commands): void {
  useCommandsOf(useRegistry(), commands);
}

function useCommandsOf(registry: Registry, commands: Commands): void {
  const latest = useRef(commands);
  useLayoutEffect(() => registry.add(latest), [registry]);
  useLayoutEffect(() => {
    latest.current = commands;
    registry.changed();
  });
}

/** Undefined if the page does not have the command. */
export function useCommand(id: CommandId): Command | undefined {
  const registry = useRegistry();
  const obstacle = useSyncExternalStore(registry.subscribe, () => {
    const command = registry.find(id);
    return command === undefined ? undefined : (command.obstacle ?? null);
  });
  if (obstacle === undefined) return undefined;
  return { obstacle, run: (by) => registry.find(id)?.run(by) };
}

/** How long the second key of a sequence may take. */
const sequenceMs = 1_500;
/** How long it is said why a key did nothing. */
const obstacleMs = 5_000;

interface CommandsProviderProps {
  readonly side: Side;
  /** Whether the user may open the page at this address. */
  readonly mayOpen: (href: string) => boolean;
  readonly children: ReactNode;
}

/** Listens for the keys of all commands, and shows the palette and the sheet of keys. */
export function CommandsProvider({ side, mayOpen, children }: CommandsProviderProps) {
  const [registry] = useState(createRegistry);
  const [shown, setShown] = useState<"palette" | "help" | null>(null);
  const [obstacle, setObstacle] = useState<string | null>(null);
  const [, navigate] = useLocation();

  // Where the focus was before the dialog. It goes back there.
  const left = useRef<Element | null>(null);
  const show = (dialog: "palette" | "help"): void => {
    left.current = document.activeElement;
    setShown(dialog);
  };
  const close = (): void => {
    flushSync(() => setShown(null));
    if (left.current instanceof HTMLElement) left.current.focus();
  };
  useCommandsOf(registry, {
    palette: { run: () => show("palette") },
    help: { run: () => show("help") },
    ...Object.fromEntries(
      commandIds.flatMap((id) => {
        const { href } = catalogue[id];
        if (href === undefined || !isOnSide(id, side) || !mayOpen(href)) return [];
        return [[id, { run: () => navigate(href) } satisfies Command]];
      }),
    ),
  });

  useEffect(() => listenForKeys(registry, setObstacle), [registry]);
  useEffect(() => {
    if (obstacle === null) return undefined;
    const timer = setTimeout(() => setObstacle(null), obstacleMs);
    return () => clearTimeout(timer);
  }, [obstacle]);

  return (
    <RegistryContext value={registry}>
      {children}
      {shown === "palette" ? <Palette find={registry.find} onClose={close} /> : null}
      {shown === "help" ? <KeySheet side={side} onClose={close} /> : null}
      <p role="status" className={obstacle === null ? "visually-hidden" : "key-obstacle"}>
        {obstacle}
      </p>
    </RegistryContext>
  );
}

function listenForKeys(registry: Registry, onObstacle: (obstacle: string | null) => void): () => void {
  let first: { readonly key: string; readonly at: number } | null = null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = pressedKey(event);
    if (key === null || isTakenBy(event.target, key)) return;
    const begun = first !== null && event.timeStamp - first.at < sequenceMs ? `${first.key} ` : "";
    first = null;
    const id = commandIds.find((each) => catalogue[each].keys?.includes(begun + key) === true && registry.find(each));
    if (id === undefined) {
      if (begun === "" && commandIds.some((each) => catalogue[each].keys?.some((own) => own.startsWith(`${key} `)))) {
        first = { key, at: event.timeStamp };
      }
      return;
    }
    event.preventDefault();
    // A key that is held down moves on, and does nothing else twice.
    if (event.repeat && !["j", "k"].includes(key)) return;
    const command = registry.find(id);
    const obstacle = command?.obstacle ?? null;
    onObstacle(obstacle === null ? null : `${catalogue[id].title}: ${obstacle}`);
    if (obstacle === null) command?.run("key");
  };
  // Captured, so that a dialog that closes on this key is still there to be seen.
  window.addEventListener("keydown", onKeyDown, { capture: true });
  return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
}

/** Whether a field, a dialog or a control has a use of its own for the key. */
function isTakenBy(target: EventTarget | null, key: string): boolean {
  if (document.querySelector("[role=dialog][aria-modal=true]") !== null) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest("[role=dialog], [role=menu], [role=listbox]") !== null) return true;
  if (target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]") !== null) {
    return key !== "Mod+k";
  }
  return key === "Enter" && target.closest("a, button, summary") !== null;
}
