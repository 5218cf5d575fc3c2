import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("The browser keeps the filters of the queue and drafts of policies, and nothing else", () => {
  const folder = new URL("../../../../src/dashboard/web/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const writers = files.filter((name) =>
    /\b(?:localStorage|sessionStorage|indexedDB|caches|serviceWorker)\b|document\.cookie/.test(
      readFileSync(new URL(name, folder), "utf8"),
    ),
  );

  expect(files.length).toBeGreaterThan(50);
  expect(writers.sort()).toEqual(["policies/use-policy-draft.ts", "queue/use-queue-filters.ts"]);
});
