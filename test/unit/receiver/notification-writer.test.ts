import { describe, expect, test } from "vitest";
import { createNotificationWriter } from "../../../src/receiver/notification-writer.ts";
import type { IncomingNotification, NotificationStore, RecordingOutcome } from "../../../src/receiver/ports.ts";
import { anIncomingNotification } from "../../builders/incoming-notification.ts";
import { eventually } from "../../harness/eventually.ts";

const plenty = 1024 * 1024;

/** Keeps receipts by digest, and holds each commit until it is let go. */
function aStore(options: { readonly hold?: boolean } = {}) {
  const batches: (readonly IncomingNotification[])[] = [];
  const held: (() => void)[] = [];
  const receipts = new Map<string, { id: string; receipts: number }>();
  let failure: Error | null = null;
  const store: NotificationStore = {
    async recordBatch(batch) {
      batches.push(batch);
      if (options.hold === true) await new Promise<void>((resolve) => held.push(resolve));
      if (failure !== null) throw failure;
      return batch.map(({ id, digest, copies, orders }): RecordingOutcome => {
        if (orders[0]?.orderId === "BAD") {
          return { recorded: false, reason: "refused", error: new Error("index row too large") };
        }
        const known = receipts.get(digest.toString("hex")) ?? { id, receipts: 0 };
        known.receipts += copies;
        receipts.set(digest.toString("hex"), known);
        return { recorded: true, notificationId: known.id, receipts: known.receipts };
      });
    },
  };
  return {
    store,
    sizes: () => batches.map((batch) => batch.length),
    batches,
    letGo: () => held.splice(0).forEach((resolve) => resolve()),
    fail: (error: Error | null) => {
      failure = error;
    },
  };
}

describe("createNotificationWriter", () => {
  test("collects what comes while a commit is under way, and commits at most 64 at once", async () => {
    const { store, sizes, letGo } = aStore({ hold: true });
    const writer = createNotificationWriter({ store, backlogBytes: plenty });
    const write = (orderId: string) => writer.write(anIncomingNotification({ orderId }));
    const first = write("A1");
    await eventually(() => expect(sizes()).toEqual([1]));

    const rest = Array.from({ length: 70 }, (_, index) => write(`B${index}`));
    await new Promise(setImmediate);
    expect(sizes()).toEqual([1]);

    letGo();
    await first;
    await eventually(() => expect(sizes()).toEqual([1, 64]));
    letGo();
    await eventually(() => expect(sizes()).toEqual([1, 64, 6]));
    letGo();
    await Promise.all(rest);
  });

  test("makes one row of identical bodies and gives each caller its own receipt", async () => {
    const { store, batches } = aStore();
    const writer = createNotificationWriter({ store, backlogBytes: plenty });
    const copies = [anIncomingNotification(), anIncomingNotification(), anIncomingNotification()];

    const recorded = await Promise.all([...copies, anIncomingNotification({ source: "other" })].map(writer.write));

    expect(batches.map((batch) => batch.map(({ source, copies: count }) => [source, count]))).toEqual([
      [
        ["default", 3],
        ["other", 1],
      ],
    ]);
    expect(recorded.slice(0, 3)).toEqual([1, 2, 3].map((receipts) => ({ notificationId: copies[0]!.id, receipts })));
  });

  test("takes bytes up to its limit, refuses the next one, and takes more once some are committed", async () => {
    const { store, sizes, letGo } = aStore({ hold: true });
    const notification = anIncomingNotification();
    const writer = createNotificationWriter({ store, backlogBytes: notification.body.byteLength });
    const first = writer.write(notification);

    await expect(writer.write(anIncomingNotification({ body: "1" }))).rejects.toMatchObject({
      code: "receiver.backlog_full",
      retryable: true,
      message: expect.stringContaining(`${notification.body.byteLength} bytes of notifications wait`),
    });

    await eventually(() => expect(sizes()).toEqual([1]));
    letGo();
    await first;
    expect(writer.backlogBytes()).toBe(0);
    const later = writer.write(notification);
    await eventually(() => expect(sizes()).toEqual([1, 1]));
    letGo();
    expect((await later).receipts).toBe(2);
  });

  test("reports to every caller in the batch that the store is away, and works again when it is back", async () => {
    const { store, fail } = aStore();
    const writer = createNotificationWriter({ store, backlogBytes: plenty });
    fail(new Error("connect ECONNREFUSED"));

    const results = await Promise.allSettled(
      ["A1", "A2"].map((orderId) => writer.write(anIncomingNotification({ orderId }))),
    );

    expect(results).toEqual(
      [1, 2].map(() => ({
        status: "rejected",
        reason: expect.objectContaining({
          code: "receiver.store_unavailable",
          retryable: true,
          message: expect.stringContaining("connect ECONNREFUSED"),
        }),
      })),
    );
    fail(null);
    expect((await writer.write(anIncomingNotification())).receipts).toBe(1);
  });

  test("reports only to the caller whose notification the database refuses", async () => {
    const { store } = aStore();
    const writer = createNotificationWriter({ store, backlogBytes: plenty });
    const bad = anIncomingNotification({ orderId: "BAD" });

    const [good, refused] = await Promise.allSettled([writer.write(anIncomingNotification()), writer.write(bad)]);

    expect(good.status).toBe("fulfilled");
    expect(refused).toMatchObject({
      reason: {
        code: "receiver.not_recorded",
        retryable: false,
        message: `The database refuses notification ${bad.id}: index row too large`,
      },
    });
  });

  test("flushes what was taken before it resolves", async () => {
    const { store, sizes } = aStore();
    const writer = createNotificationWriter({ store, backlogBytes: plenty });
    const writes = Array.from({ length: 130 }, (_, index) =>
      writer.write(anIncomingNotification({ orderId: `C${index}` })),
    );

    await writer.flush();

    expect(sizes().reduce((sum, size) => sum + size, 0)).toBe(130);
    expect(writer.backlogBytes()).toBe(0);
    await Promise.all(writes);
  });
});
