import { useState } from "react";
import type { PolicyVersion } from "../api/responses.ts";

interface PolicyDraft {
  readonly text: string;
  /** Another number when the text is replaced as a whole, which an editor does not see by itself. */
  readonly edition: number;
  /** Whether the text is from an earlier visit, until the notice of it is closed. */
  readonly isRestored: boolean;
  readonly change: (text: string) => void;
  /** Goes back to the text of the version. */
  readonly discard: () => void;
  /** Once the text is saved as a version. */
  readonly forget: () => void;
  readonly closeNotice: () => void;
}

/** The text of a version while it is edited. A text that differs is stored in this browser, for the next visit. */
export function usePolicyDraft(policy: PolicyVersion, draftKey: string): PolicyDraft {
  const [stored] = useState(() => localStorage.getItem(draftKey));
  const [text, setText] = useState(stored ?? policy.text);
  const [edition, setEdition] = useState(0);
  const [isRestored, setIsRestored] = useState(stored !== null);
  const forget = (): void => localStorage.removeItem(draftKey);
  const closeNotice = (): void => setIsRestored(false);
  return {
    text,
    edition,
    isRestored,
    change: (next) => {
      setText(next);
      if (next === policy.text) forget();
      else localStorage.setItem(draftKey, next);
    },
    discard: () => {
      forget();
      setText(policy.text);
      closeNotice();
      setEdition(edition + 1);
    },
    forget,
    closeNotice,
  };
}
