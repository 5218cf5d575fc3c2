export interface GatheredWork<Item, Result> {
  /**
   * Does all items in one transaction. Returns null for an item that it left out, which is then done alone, and a promise for
   * one that needs more after the commit.
   */
  readonly together: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result> | null)[]>;
  readonly alone: (item: Item) => Promise<Result>;
  /** Whether an error of `together` says that nothing was committed. */
  readonly isUndone: (error: unknown) => boolean;
}

/**
 * After so long the next transaction begins beside one that hangs, as on a dead connection. It is half a lease, so that the
 * orders that wait do not lose theirs.
 */
const turnMaxMs = 5_000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers single requests into transactions: those that come during one are the next. A request alone never waits for others.
 * After a failure each is done alone, so that only the faulty one fails.
 */
export function createGatherer<Item, Result>(
  itemsMax: number,
  { together, alone, isUndone }: GatheredWork<Item, Result>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isWorking = false;

  async function workOnAll(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, itemsMax);
      waiting = waiting.slice(itemsMax);
      await atMost(turnMaxMs, workOn(batch));
    }
    isWorking = false;
  }

  async function workOn(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await together(batch.map(({ item }) => item));
      // What is done alone is not awaited, so that it does not hold up the next transaction.
      for (const [index, { item, resolve }] of batch.entries()) resolve(results[index] ?? alone(item));
    } catch (error) {
      // Otherwise it may have been committed, so nothing is repeated.
      const mayBeRepeated = isUndone(error);
      for (const { item, resolve, reject } of batch) {
        if (mayBeRepeated) resolve(alone(item));
        else reject(error);
      }
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // Deferred, so that what other responses of the same moment ask for joins the transaction.
      setImmediate(() => void workOnAll());
    });
}

/** @param work does not reject */
function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
