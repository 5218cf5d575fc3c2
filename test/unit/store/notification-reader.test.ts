import { beforeEach, describe, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { createEncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { createEncryption } from "../../../src/store/database/encryption.ts";
import {
  createNotificationReader,
  type NotificationRow,
  notificationPlace,
  type ReaderLimits,
} from "../../../src/store/notifications/notification-reader.ts";
import { anOrderView, bytesOf } from "../../builders/order-view.ts";

const keys = readEncryptionKeys(createEncryptionKey(new Date()));
if (!keys.ok) throw new Error(keys.problem);
const encryption = createEncryption(keys.keys);
let opened: number;
beforeEach(() => {
  opened = 0;
});

function readerWith(limits: Partial<ReaderLimits> = {}) {
  const open: typeof encryption.open = async (row, place) => {
    opened += 1;
    return await encryption.open(row, place);
  };
  const reader = createNotificationReader({ ...encryption, open }, dialect, {
    readings: 10,
    bodyBytes: 1_000_000,
    ...limits,
  });
  return {
    /** As the store does: rows that are remembered come without their bodies. */
    read: (row: NotificationRow) => {
      const remembered = reader.remembered();
      return reader.read(remembered.has(row.id) ? { ...row, body: null } : row, remembered);
    },
    remembered: () => [...reader.remembered().keys()],
    reader,
  };
}

async function stored(id: string): Promise<NotificationRow> {
  return { id, ...(await encryption.encrypt(bytesOf(anOrderView({ orderId: id })), notificationPlace(id))) };
}

describe("a stored notification", () => {
  test("is opened and parsed once for all who need it, also when they come at the same moment", async () => {
    const { read } = readerWith();
    const row = await stored("A");

    const [first, second] = await Promise.all([read(row), read(row)]);
    const third = await read(row);

    expect(first.views).toMatchObject([{ view: { orders: [{ orderId: "A" }] } }]);
    expect(second).toBe(first);
    expect(third).toBe(first);
    expect(opened).toBe(1);
  });

  test("that is no order view any more is remembered as such", async () => {
    const { read } = readerWith();
    const row = { id: "X", ...(await encryption.encrypt(Buffer.from("{}"), notificationPlace("X"))) };

    expect((await read(row)).views).toEqual([]);
    expect((await read(row)).views).toEqual([]);
    expect(opened).toBe(1);
  });

  test("that cannot be opened is tried again each time, and read once it can be", async () => {
    const { read, remembered } = readerWith();
    const row = await stored("A");
    const corrupt = { ...row, body: Buffer.from("x") };

    await expect(Promise.all([read(corrupt), read(corrupt)])).rejects.toMatchObject({ code: "store.body_changed" });
    await expect(read(corrupt)).rejects.toMatchObject({ code: "store.body_changed" });
    expect(remembered()).toEqual([]);

    expect((await read(row)).views).toHaveLength(1);
  });

  test("is read from what was remembered when its row was selected, though it is forgotten meanwhile", async () => {
    const { reader } = readerWith({ readings: 1 });
    const row = await stored("A");
    await reader.read(row, reader.remembered());
    const remembered = reader.remembered();
    await reader.read(await stored("B"), reader.remembered());

    expect((await reader.read({ ...row, body: null }, remembered)).views).toHaveLength(1);
    expect(opened).toBe(2);
  });
});

describe("the body that later views may be compressed against", () => {
  const read = async (body: unknown) =>
    await readerWith().read({
      id: "A",
      ...(await encryption.encrypt(Buffer.from(JSON.stringify(body)), notificationPlace("A"))),
    });
  const padded = (length: number) => {
    const empty = JSON.stringify({ ...anOrderView({ orderId: "A" }), Padding: "" }).length;
    return { ...anOrderView({ orderId: "A" }), Padding: "x".repeat(length - empty) };
  };

  test("is that of a notification about one order", async () => {
    const body = anOrderView({ orderId: "A" });

    expect((await read(body)).repeatedBody).toEqual({ notificationId: "A", bytes: Buffer.from(JSON.stringify(body)) });
  });

  test.each([
    ["a list of two views", [anOrderView({ orderId: "A" }), anOrderView({ orderId: "B" })]],
    ["a view with two orders", { OrderViewRS: { Order: [{ OrderID: "A" }, { OrderID: "B" }] } }],
    ["what is no order view", {}],
  ])("is none of %s", async (_, body) => {
    expect((await read(body)).repeatedBody).toBeNull();
  });

  test("is none of more than 32 KB, on which deflate does not look back", async () => {
    expect((await read(padded(32 * 1024))).repeatedBody?.bytes).toHaveLength(32 * 1024);
    expect((await read(padded(32 * 1024 + 1))).repeatedBody).toBeNull();
  });
});

describe("what is remembered", () => {
  test("is bounded by number, and what was used last stays", async () => {
    const { read, remembered } = readerWith({ readings: 2 });
    const [a, b, c] = [await stored("A"), await stored("B"), await stored("C")];
    await read(a);
    await read(b);
    await read(a);
    await read(c);

    expect(remembered()).toEqual(["A", "C"]);
  });

  test("is bounded by the bytes of the bodies", async () => {
    const [a, b, c] = [await stored("A"), await stored("B"), await stored("C")];
    const exact = readerWith({ bodyBytes: a.bodyBytes * 2 });
    const narrow = readerWith({ bodyBytes: a.bodyBytes * 2 - 1 });
    for (const row of [a, b, c]) {
      await exact.read(row);
      await narrow.read(row);
    }

    expect(exact.remembered()).toEqual(["B", "C"]);
    expect(narrow.remembered()).toEqual(["C"]);
  });

  test("keeps its place when a body comes that is longer than all of it may be", async () => {
    const a = await stored("A");
    const long = {
      id: "LONG",
      ...(await encryption.encrypt(
        bytesOf({ Order: { OrderID: "LONG", Remark: "x".repeat(9_999) } }),
        notificationPlace("LONG"),
      )),
    };
    const { read, remembered } = readerWith({ bodyBytes: a.bodyBytes });
    await read(a);

    expect((await read(long)).views).toHaveLength(1);
    expect(remembered()).toEqual(["A"]);
  });
});
