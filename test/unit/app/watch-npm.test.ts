import { describe, expect, test } from "vitest";
import { watchNpm } from "../../../src/app/watch-npm.ts";
import { eventually } from "../../harness/eventually.ts";

describe("watchNpm", () => {
  test("reports once that the parent has ended", async () => {
    let parent = 100;
    let calls = 0;
    const end = watchNpm(
      { npm_lifecycle_event: "start" },
      () => calls++,
      () => parent,
    );

    parent = 1;

    await eventually(() => expect(calls).toBe(1));
    end();
  });

  test("looks at no parent without npm", () => {
    let looks = 0;

    watchNpm(
      {},
      () => {},
      () => ++looks,
    )();

    expect(looks).toBe(0);
  });
});
