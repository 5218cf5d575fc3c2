import { Modal, TextInput } from "@mantine/core";
import { type KeyboardEvent, useId, useState } from "react";
import { type CommandId, catalogue, commandIds } from "./catalogue.ts";
import type { Command } from "./commands.tsx";
import { KeysShown } from "./keys-shown.tsx";

interface PaletteProps {
  /** Undefined for a command that the page does not have. */
  readonly find: (id: CommandId) => Command | undefined;
  readonly onClose: () => void;
}

/** The commands of the page, found by words. An impossible one says why. */
export function Palette({ find, onClose }: PaletteProps) {
  const listId = useId();
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  // Those of the page first, then those that are possible anywhere.
  const found = commandIds
    .flatMap((id) => {
      const command = find(id);
      return command === undefined || id === "palette" ? [] : [{ id, command, ...catalogue[id] }];
    })
    .filter(({ title }) => matches(title, words))
    .toSorted((one, other) => Number(one.place === "anywhere") - Number(other.place === "anywhere"));
  const active = found[Math.min(at, found.length - 1)];

  const run = (command: Command): void => {
    if ((command.obstacle ?? null) !== null) return;
    onClose();
    command.run("key");
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      const next = (Math.min(at, found.length - 1) + step + found.length) % found.length;
      setAt(next);
      document.getElementById(`${listId}-${found[next]?.id}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter" && active !== undefined) {
      event.preventDefault();
      run(active.command);
    }
  };
  return (
    <Modal opened onClose={onClose} title="Commands" closeButtonProps={{ "aria-label": "Close" }}>
      <TextInput
        data-autofocus
        className="palette-field"
        role="combobox"
        aria-label="Find a command"
        placeholder="Accept, snooze, tasks …"
        aria-expanded="true"
        aria-controls={listId}
        {...(active === undefined ? {} : { "aria-activedescendant": `${listId}-${active.id}` })}
        value={words}
        onChange={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="Commands" className="palette">
        {found.map(({ id, title, keys = [], command }) => (
          <button
            key={id}
            type="button"
            id={`${listId}-${id}`}
            role="option"
            aria-selected={id === active?.id}
            aria-disabled={(command.obstacle ?? null) !== null}
            tabIndex={-1}
            // The field keeps the focus, so that typing and the arrows go on.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => run(command)}
          >
            <span>{title}</span>
            <KeysShown keys={keys.slice(0, 1)} />
            {command.obstacle == null ? null : <span className="quiet">{command.obstacle}</span>}
          </button>
        ))}
      </div>
      {found.length === 0 ? <p className="quiet">No command has these words.</p> : null}
    </Modal>
  );
}

/** Each word begins a word of the title. */
function matches(title: string, words: string): boolean {
  const own = title.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => own.some((each) => each.startsWith(word)));
}
