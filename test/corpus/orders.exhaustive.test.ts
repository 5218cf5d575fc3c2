import { describe } from "vitest";
import { familyNames } from "./corpus-files.ts";
import { gridFamilies, testFamilies } from "./decide-families.ts";

describe("every sample, dialect, order with a history and fault run is decided as the corpus expects", () => {
  testFamilies(familyNames().filter((name) => !gridFamilies.includes(name)));
});
