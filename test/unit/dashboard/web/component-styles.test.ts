import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";

const assets = join(import.meta.dirname, "../../../../dist/dashboard/web/assets");

function readAssets(ending: string): string {
  const files = readdirSync(assets).filter((file) => file.endsWith(ending));
  return files.map((file) => readFileSync(join(assets, file), "utf8")).join("\n");
}

/** Mantine names the class of each part of a component by a hash. */
function classesIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
}

test("The pages load the styles of every component of Mantine that their scripts contain", () => {
  const whole = createRequire(import.meta.url).resolve("@mantine/core/styles.layer.css");
  const styled = classesIn(readFileSync(whole, "utf8"));
  const loaded = classesIn(readAssets(".css"));
  const used = [...classesIn(readAssets(".js"))].filter((name) => styled.has(name));

  expect(used.length).toBeGreaterThan(50);
  expect(used.filter((name) => !loaded.has(name))).toEqual([]);
});
