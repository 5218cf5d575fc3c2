import { Modal } from "@mantine/core";
import { useState } from "react";
import { ChoiceList, matchesWords } from "../components/choice-list.tsx";
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
  const [words, setWords] = useState("");
  // Those of the page first, then those that are possible anywhere.
  const found = commandIds
    .flatMap((id) => {
      const command = find(id);
      return command === undefined || id === "palette" ? [] : [{ id, command, ...catalogue[id] }];
    })
    .filter(({ title }) => matchesWords(title, words))
    .toSorted((one, other) => Number(one.place === "anywhere") - Number(other.place === "anywhere"));
  return (
    <Modal opened onClose={onClose} title="Commands" closeButtonProps={{ "aria-label": "Close" }}>
      <ChoiceList
        label="Find a command"
        placeholder="Accept, snooze, tasks …"
        words={words}
        onWords={setWords}
        choices={found.map(({ id, title, keys = [], command }) => ({
          id,
          isDisabled: command.obstacle != null,
          content: (
            <>
              <span>{title}</span>
              <KeysShown keys={keys.slice(0, 1)} />
              {command.obstacle == null ? null : <span className="quiet choice-obstacle">{command.obstacle}</span>}
            </>
          ),
        }))}
        onChoose={(id) => {
          onClose();
          found.find((each) => each.id === id)?.command.run("key");
        }}
        empty="No command has these words."
      />
    </Modal>
  );
}
