/** Limits this process's requests per recipient. Attempts claimed ahead wait here in order. */
export interface RecipientSlots {
  /** True requires `leave`. False if the recipient is on hold, disabled or slow, or the sender closes. */
  take(recipientId: string, slotsMax: number): Promise<boolean>;
  /** Whether attempts of the recipient wait for a slot. */
  hasWaiting(recipientId: string): boolean;
  /** Frees the slot. If the recipient is unhealthy, its waiting attempts are released. */
  leave(recipientId: string, health: { readonly isWell: boolean }): void;
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
 * @param slowAfterMs after a longer wait an attempt is released, because the delivery may be superseded meanwhile
 * @param now milliseconds of a monotonic clock
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

    hasWaiting: (recipientId) => (byRecipient.get(recipientId)?.waiting.length ?? 0) > 0,

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
