import { describe, expect, test } from "vitest";
import {
  type CommandId,
  type CommandPlace,
  catalogue,
  commandIds,
  isOnSide,
  type Side,
} from "../../../../src/dashboard/web/commands/catalogue.ts";

interface Use {
  readonly key: string;
  readonly id: CommandId;
}

/** What the keys do in a place, with those that work anywhere. */
function usesIn(place: CommandPlace, side: Side): readonly Use[] {
  return commandIds
    .filter((id) => [place, "anywhere"].includes(catalogue[id].place))
    .filter((id) => isOnSide(id, side))
    .flatMap((id) => (catalogue[id].keys ?? []).map((key) => ({ key, id })));
}

describe.each([
  ["queue", "agency", 15],
  ["case", "agency", 15],
  ["list", "agency", 12],
  ["list", "gateway", 8],
] as const)("the keys of the place %s of the %s", (place, side, keysMin) => {
  test("do one thing each", () => {
    const uses = usesIn(place, side);

    expect(uses.length).toBeGreaterThan(keysMin);
    expect(uses.filter(({ key, id }) => uses.some((other) => other.key === key && other.id !== id))).toEqual([]);
  });

  test("do nothing by themselves when they begin a sequence", () => {
    const uses = usesIn(place, side);
    const begun = uses.flatMap(({ key }) => (key.includes(" ") ? key.split(" ").slice(0, 1) : []));

    expect(begun).toContain("g");
    expect(uses.filter(({ key }) => begun.includes(key))).toEqual([]);
  });
});
