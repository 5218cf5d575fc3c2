import { TextInput } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useState } from "react";
import "./choice-list.css";

export interface Choice {
  readonly id: string;
  readonly content: ReactNode;
  readonly isDisabled?: boolean;
}

interface ChoiceListProps {
  readonly label: string;
  readonly isLabelShown?: boolean;
  readonly placeholder: string;
  readonly words: string;
  readonly onWords: (words: string) => void;
  /** Those that the words leave. */
  readonly choices: readonly Choice[];
  /** Under the arrow keys at first. Default: the first one. */
  readonly initial?: string;
  /** The choice that Enter would take; null if none is left. */
  readonly onActive?: (id: string | null) => void;
  readonly onChoose: (id: string, by: "key" | "pointer") => void;
  /** Shown when no choice is left. */
  readonly empty: string;
}

/** A field that narrows the list below it. The arrow keys move in the list, and Enter chooses. */
export function ChoiceList(props: ChoiceListProps) {
  const {
    label,
    isLabelShown = false,
    placeholder,
    words,
    onWords,
    choices,
    initial,
    onActive,
    onChoose,
    empty,
  } = props;
  const listId = useId();
  /** Null as long as the initial choice is the active one. */
  const [moved, setMoved] = useState<number | null>(null);
  const first = choices.findIndex(({ id }) => id === initial);
  const at = Math.min(moved ?? Math.max(0, first), choices.length - 1);
  const active = choices[at];
  const activeId = active?.id ?? null;
  const reportActive = useEffectEvent((id: string | null) => onActive?.(id));
  useEffect(() => reportActive(activeId), [activeId]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && choices.length > 0) {
      event.preventDefault();
      const next = (at + step + choices.length) % choices.length;
      setMoved(next);
      document.getElementById(`${listId}-${choices[next]?.id}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter" && active !== undefined) {
      event.preventDefault();
      if (active.isDisabled !== true) onChoose(active.id, "key");
    }
  };
  return (
    <div className="choice-list">
      <TextInput
        data-autofocus
        className="choice-field"
        role="combobox"
        {...(isLabelShown ? { label } : { "aria-label": label })}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        aria-expanded="true"
        aria-controls={listId}
        {...(active === undefined ? {} : { "aria-activedescendant": `${listId}-${active.id}` })}
        value={words}
        onChange={(event) => {
          onWords(event.currentTarget.value);
          setMoved(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label={label} className="choices">
        {choices.map(({ id, content, isDisabled = false }) => (
          <button
            key={id}
            type="button"
            id={`${listId}-${id}`}
            role="option"
            aria-selected={id === active?.id}
            aria-disabled={isDisabled}
            tabIndex={-1}
            // The field keeps the focus, so that typing and the arrows go on.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              setMoved(choices.findIndex((choice) => choice.id === id));
              if (!isDisabled) onChoose(id, "pointer");
            }}
          >
            {content}
          </button>
        ))}
      </div>
      {choices.length === 0 ? <p className="quiet">{empty}</p> : null}
    </div>
  );
}

/** Each of the words begins a word of the text. */
export function matchesWords(text: string, words: string): boolean {
  const own = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => own.some((each) => each.startsWith(word)));
}
