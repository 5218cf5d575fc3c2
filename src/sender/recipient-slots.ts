/**
 * How many requests one recipient gets from this process at a time. What is claimed ahead for it waits here, first come first
 * served, so that a slot is never empty while an outcome is recorded.
 */
export interface RecipientSlots {
  /**
   * Resolves with true when the recipient may be sent to; `leave` must follow. With false when it had better not be: it is held or
   * disabled since, it was slow, or the sender closes.
   */
  take(recipientId: string, slotsMax: number): Promise<boolean>;
  /** The recipient has answered, or will not. When it is not well, what waits for it is given back. */
  leave(recipientId: string, answer: { readonly isWell: boolean }): void;
  /** From now on nobody waits. */
  close(): void;
}

interface Slots {
  taken: number;
  waiting: readonly Waiting[];
}

interface Waiting {
  readonly slotsMax: number;
  readonly since: number;
  readonly begin: (mayBegin: boolean) => void;
}

/**
 * @param slowAfterMs a claimed attempt that has waited longer is not sent: the recipient is slow, and a newer notification, or
 *   a person, may have made the attempt pointless.
 * @param now in milliseconds, by a clock that is never put back
 */
export function createRecipientSlots(slowAfterMs: number, now: () => number): RecipientSlots {
  const byRecipient = new Map<string, Slots>();
  let isClosed = false;

  function letBegin(slots: Slots): void {
    const [first, ...others] = slots.waiting;
    if (first === undefined || slots.taken >= first.slotsMax) return;
    const mayBegin = now() - first.since <= slowAfterMs;
    slots.waiting = others;
    if (mayBegin) slots.taken += 1;
    first.begin(mayBegin);
    letBegin(slots);
  }

  function giveBack(slots: Slots): void {
    for (const { begin } of slots.waiting) begin(false);
    slots.waiting = [];
  }

  return {
    async take(recipientId, slotsMax) {
      if (isClosed) return false;
      const slots = byRecipient.get(recipientId) ?? { taken: 0, waiting: [] };
      byRecipient.set(recipientId, slots);
      if (slots.taken < slotsMax && slots.waiting.length === 0) {
        slots.taken += 1;
        return true;
      }
      return await new Promise<boolean>((begin) => {
        slots.waiting = [...slots.waiting, { slotsMax, since: now(), begin }];
      });
    },

    leave(recipientId, { isWell }) {
      const slots = byRecipient.get(recipientId);
      if (slots === undefined) return;
      slots.taken -= 1;
      if (isWell) letBegin(slots);
      else giveBack(slots);
      if (slots.taken === 0) byRecipient.delete(recipientId);
    },

    close() {
      isClosed = true;
      for (const slots of byRecipient.values()) giveBack(slots);
    },
  };
}
