import { describe } from "vitest";
import { countCosts } from "./costs-suite.ts";

describe("with the queue on PostgreSQL", () => {
  countCosts({
    kind: "PostgreSQL",
    start: async () => ({ settings: {}, untilResponds: async () => {} }),
    close: async () => {},
  });
});
