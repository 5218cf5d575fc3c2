import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { type CommandId, catalogue } from "./catalogue.ts";
import { useCommand } from "./commands.tsx";
import { isMac } from "./is-mac.ts";
import { keyCaps } from "./pressed-key.ts";

interface CommandButtonProps extends ButtonProps {
  readonly command: CommandId;
  /** Default: the title of the command. */
  readonly children?: ReactNode;
}

/** Does what the key of the command does. Where the page does not have the command, there is no button. */
export function CommandButton({ command: id, children, ...button }: CommandButtonProps) {
  const command = useCommand(id);
  if (command === undefined) return null;
  const { title, keys = [] } = catalogue[id];
  const obstacle = command.obstacle ?? null;
  const hint = keys[0] === undefined ? title : `${title} (${keyCaps(keys[0], isMac).join(" ")})`;
  return (
    <Button
      size="sm"
      variant="default"
      {...button}
      disabled={obstacle !== null}
      title={obstacle ?? hint}
      {...(keys.length === 0 ? {} : { "aria-keyshortcuts": keys.map(toAriaKey).join(" ") })}
      onClick={() => command.run("pointer")}
    >
      {children ?? title}
    </Button>
  );
}

/** @see WAI-ARIA 1.2, aria-keyshortcuts */
function toAriaKey(key: string): string {
  if (key.startsWith("Mod+")) return `${isMac ? "Meta" : "Control"}+${key.slice("Mod+".length)}`;
  return /^\p{Lu}$/u.test(key) ? `Shift+${key}` : key;
}

/** Shows the keys. It stands beside the title of a page. */
export function KeysButton() {
  return (
    <CommandButton command="help" variant="subtle" size="compact-sm" className="keys-button">
      Keys <kbd>?</kbd>
    </CommandButton>
  );
}
