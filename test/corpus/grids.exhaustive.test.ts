import { describe } from "vitest";
import { gridFamilies, testFamilies } from "./decide-families.ts";

describe("every subject on either side of a limit is decided as the corpus expects", () => {
  testFamilies(gridFamilies);
});
