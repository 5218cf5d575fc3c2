import { describe, expect, test } from "@jest/globals";
import { type CommandId, catalogue, commandIds } from "../../../../src/dashboard/web/commands/catalogue.ts";

interface Use {
  readonly key: string;
  readonly id: CommandId;
}

/** What the keys do in a place, with those that work anywhere. */
function usesIn(place: "queue" | "case"): readonly Use[] {
  return commandIds
    .filter((id) => [place, "anywhere"].includes(catalogue[id].place))
    .flatMap((id) => (catalogue[id].keys ?? []).map((key) => ({ key, id })));
}

describe.each(["queue", "case"] as const)("the keys of the place %s", (place) => {
  test("do one thing each", () => {
    const uses = usesIn(place);

    expect(uses.length).toBeGreaterThan(15);
    expect(uses.filter(({ key, id }) => uses.some((other) => other.key === key && other.id !== id))).toEqual([]);
  });

  test("do nothing by themselves when they begin a sequence", () => {
    const uses = usesIn(place);
    const begun = uses.flatMap(({ key }) => (key.includes(" ") ? key.split(" ").slice(0, 1) : []));

    expect(begun).toContain("g");
    expect(uses.filter(({ key }) => begun.includes(key))).toEqual([]);
  });
});
