import { Modal } from "@mantine/core";
import { type CommandPlace, catalogue, commandIds, isOnSide, type Side } from "./catalogue.ts";
import { KeysShown } from "./keys-shown.tsx";

interface Place {
  readonly place: CommandPlace;
  readonly title: string;
}

const ofBoth: readonly Place[] = [
  { place: "list", title: "In a list of recipients or deliveries" },
  { place: "anywhere", title: "Anywhere" },
];
const places: Readonly<Record<Side, readonly Place[]>> = {
  agency: [{ place: "queue", title: "In the queue" }, { place: "case", title: "On a case" }, ...ofBoth],
  gateway: ofBoth,
};

/** Every command of the side that has a key. */
export function KeySheet({ side, onClose }: { readonly side: Side; readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keys" size="xl" closeButtonProps={{ "aria-label": "Close" }}>
      <div className="key-sheet">
        {places[side].map(({ place, title }) => (
          <section key={place} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {commandIds.map((id) => {
                const command = catalogue[id];
                if (command.place !== place || command.keys === undefined || !isOnSide(id, side)) return null;
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
      {side === "gateway" ? null : (
        <p className="quiet">
          In a dialog, <kbd>Enter</kbd> confirms once everything is filled in, <kbd>Ctrl</kbd> <kbd>Enter</kbd> also
          from the note, and <kbd>Esc</kbd> leaves it. Numbers select a suggested time.
        </p>
      )}
    </Modal>
  );
}
