/**
 * Says how old the data is that ages: `npm run data:age`. Nothing fails because of it; whoever prepares a release looks.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describeTimeZones } from "../src/app/time-zones.ts";
import { airportsVersion } from "../src/travel/airports.ts";
import { shippedTimeZones } from "../src/travel/zones.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const now = new Date();

console.log(`Time zones: ${describeTimeZones(shippedTimeZones, now)} (${shippedTimeZones.table.source})`);
console.log(`Airports: ${airportsVersion}; ${lastChangeOf("src/travel/airports.json")}`);
console.log(`Aircraft: ${lastChangeOf("src/itinerary/aircraft.ts")}`);
console.log(`Laws: ${lastChangeOf("src/policy/legal/presets")}`);
console.log(`Licensed carriers: ${lastChangeOf("src/policy/legal/carriers.ts")}`);

function lastChangeOf(path: string): string {
  const date = execFileSync("git", ["log", "-1", "--format=%cs", "--", path], { cwd: root }).toString().trim();
  return date === "" ? "not in a repository" : `changed here on ${date}`;
}
