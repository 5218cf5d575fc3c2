import { Modal } from "@mantine/core";
import { type CommandPlace, catalogue, commandIds } from "./catalogue.ts";
import { KeysShown } from "./keys-shown.tsx";

const places: readonly { readonly place: CommandPlace; readonly title: string }[] = [
  { place: "queue", title: "In the queue" },
  { place: "case", title: "On a case" },
  { place: "anywhere", title: "Anywhere" },
];

/** Every command that has a key. */
export function KeySheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keys" size="xl" closeButtonProps={{ "aria-label": "Close" }}>
      <div className="key-sheet">
        {places.map(({ place, title }) => (
          <section key={place} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {commandIds.map((id) => {
                const command = catalogue[id];
                if (command.place !== place || command.keys === undefined) return null;
                return (
                  <div key={id}>
                    <dt>{command.title}</dt>
                    <dd>
                      <KeysShown keys={command.keys} />
                    </dd>
                  </div>
                );
              })}
            </dl>
          </section>
        ))}
      </div>
      <p className="quiet">
        In a dialog, <kbd>Enter</kbd> confirms once everything is filled in, <kbd>Ctrl</kbd> <kbd>Enter</kbd> also from
        the note, and <kbd>Esc</kbd> leaves it. Numbers select a suggested time.
      </p>
    </Modal>
  );
}
