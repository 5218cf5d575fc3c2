import { expect, test } from "vitest";
import { createRecipientSlots } from "../../../src/sender/recipient-slots.ts";

const waitMaxMs = 1_000;

/** Slots whose takers say when they begin: `a+` may be sent, `a-` is given back. */
function openSlots() {
  let time = 0;
  const begun: string[] = [];
  const slots = createRecipientSlots(waitMaxMs, () => time);
  return {
    slots,
    begun,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    async take(name: string, recipientId: string, slotsMax: number) {
      void slots.take(recipientId, slotsMax).then((mayBegin) => begun.push(`${name}${mayBegin ? "+" : "-"}`));
      await settled();
    },
    async leave(recipientId: string, isWell = true) {
      slots.leave(recipientId, { isWell });
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("A recipient gets as many requests at a time as it takes, and those that wait begin in their order", async () => {
  const { take, leave, begun } = openSlots();
  for (const name of ["a", "b", "c", "d"]) await take(name, "one", 2);
  await take("e", "other", 2);
  expect(begun).toEqual(["a+", "b+", "e+"]);

  await leave("one");
  expect(begun).toEqual(["a+", "b+", "e+", "c+"]);
  await leave("one");
  await leave("one");
  expect(begun).toEqual(["a+", "b+", "e+", "c+", "d+"]);
});

test("It is known whether requests of a recipient wait", async () => {
  const { slots, take, leave } = openSlots();
  await take("a", "one", 1);
  expect(slots.hasWaiting("one")).toBe(false);
  await take("b", "one", 1);
  expect([slots.hasWaiting("one"), slots.hasWaiting("other")]).toEqual([true, false]);
  await leave("one");
  expect(slots.hasWaiting("one")).toBe(false);
});

test("When a recipient fails, what waits for it is given back, and later ones begin again", async () => {
  const { take, leave, begun } = openSlots();
  for (const name of ["a", "b", "c"]) await take(name, "one", 1);
  await leave("one", false);
  expect(begun).toEqual(["a+", "b-", "c-"]);

  await take("d", "one", 1);
  expect(begun).toEqual(["a+", "b-", "c-", "d+"]);
});

test("What has waited for longer than it may is given back, and the next one begins", async () => {
  const { take, leave, begun, pass } = openSlots();
  await take("a", "one", 1);
  await take("b", "one", 1);
  pass(1);
  await take("c", "one", 1);
  pass(waitMaxMs);
  await leave("one");
  expect(begun).toEqual(["a+", "b-", "c+"]);
});

test("Once closed, what waits is given back, and nothing begins", async () => {
  const { slots, take, begun } = openSlots();
  await take("a", "one", 1);
  await take("b", "one", 1);
  slots.close();
  await settled();
  await take("c", "one", 1);
  expect(begun).toEqual(["a+", "b-", "c-"]);
});

test("A limit that was lowered holds for those that come after", async () => {
  const { take, leave, begun } = openSlots();
  for (const name of ["a", "b", "c"]) await take(name, "one", 3);
  await take("d", "one", 1);
  await leave("one");
  await leave("one");
  expect(begun).toEqual(["a+", "b+", "c+"]);
  await leave("one");
  expect(begun).toEqual(["a+", "b+", "c+", "d+"]);
});

test("What need not wait begins, however short the wait may be", async () => {
  let time = 0;
  const slots = createRecipientSlots(0, () => (time += 1));
  expect(await slots.take("one", 1)).toBe(true);
});
