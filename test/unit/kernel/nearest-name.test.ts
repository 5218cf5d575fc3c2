import { expect, test } from "vitest";
import { nearestName } from "../../../src/kernel/nearest-name.ts";

const names = ["departureLaterMinutes", "departureEarlierMinutes", "dateChanged", "ticketed"];

test.each([
  ["departureLaterMinute", "departureLaterMinutes"],
  ["departureDelayMinutes", "departureLaterMinutes"],
  ["DATECHANGED", "dateChanged"],
  ["tickt", "ticketed"],
  ["tick", "ticketed"],
])("%s was most likely meant to be %s", (written, meant) => {
  expect(nearestName(written, names)).toBe(meant);
});

test.each(["tic", "xyz", ""])("%j is close to nothing", (written) => {
  expect(nearestName(written, names)).toBeNull();
});
