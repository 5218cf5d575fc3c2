import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Announcer, createAnnouncer } from "../../../src/kernel/announcer.ts";
import { eventually } from "../../harness/eventually.ts";

let sent: (readonly (readonly [string, readonly string[]])[])[];
let failures: number;
let announcer: Announcer;

/** So long that only the end of the process ends it. */
const pauseMs = 2 ** 30;

beforeEach(() => {
  sent = [];
  failures = 0;
  announcer = create(pauseMs);
});
afterEach(() => announcer.close());

function create(pause: number): Announcer {
  return createAnnouncer(async (waiting) => {
    if (failures > 0) {
      failures -= 1;
      throw new Error("the database is away");
    }
    sent.push([...waiting].map(([channel, ids]) => [channel, [...ids]]));
  }, pause);
}

describe("what is announced", () => {
  test("first is sent at once, and what comes during the pause is sent together when the process stops", async () => {
    announcer.announce("cases", ["a"]);
    announcer.announce("cases", ["b"]);
    announcer.announce("due");
    announcer.announce("cases", ["a", "c"]);
    await announcer.close();

    expect(sent).toEqual([
      [["cases", ["a"]]],
      [
        ["cases", ["b", "a", "c"]],
        ["due", []],
      ],
    ]);
  });

  test("after a pause without changes is sent at once again", async () => {
    announcer = create(0);
    announcer.announce("cases", ["a"]);
    await eventually(() => expect(sent).toHaveLength(1));
    await new Promise(setImmediate);

    announcer.announce("cases", ["b"]);

    await eventually(() => expect(sent).toEqual([[["cases", ["a"]]], [["cases", ["b"]]]]));
  });

  test.each([
    [200, 200],
    [201, 0],
  ])(
    "with %i ids in one pause is sent with %i ids, of which none means that anything may have changed",
    async (count, shown) => {
      announcer.announce("cases", ["first"]);
      for (let index = 0; index < count; index += 1) announcer.announce("cases", [`case ${index}`]);
      await announcer.close();

      expect(sent[1]![0]![1]).toHaveLength(shown);
    },
  );

  test("without ids stays anything, whatever is announced after it", async () => {
    announcer.announce("cases", ["first"]);
    announcer.announce("cases");
    announcer.announce("cases", ["a"]);
    await announcer.close();

    expect(sent[1]).toEqual([["cases", []]]);
  });

  test("and could not be sent is sent again as anything", async () => {
    failures = 1;
    announcer.announce("cases", ["a"]);
    await new Promise(setImmediate);
    expect(sent).toEqual([]);
    announcer.announce("cases", ["b"]);
    await announcer.close();

    expect(sent).toEqual([[["cases", []]]]);
  });

  test("while the database is away does not keep a process from stopping", async () => {
    failures = 2;
    announcer.announce("cases", ["a"]);
    announcer.announce("cases", ["b"]);

    await announcer.close();

    expect(sent).toEqual([]);
  });
});
