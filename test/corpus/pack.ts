/**
 * Takes a family out of its packed file, or puts it back:
 *
 *     npx tsx test/corpus/pack.ts unpack <family> <file>
 *     npx tsx test/corpus/pack.ts pack <family> <file>
 */
import { readFileSync, writeFileSync } from "node:fs";
import { packFamily, unpackFamily } from "./corpus-files.ts";

const [action, family, file] = process.argv.slice(2);
if (family === undefined || file === undefined || (action !== "pack" && action !== "unpack")) {
  console.error("Say what to do: npx tsx test/corpus/pack.ts pack|unpack <family> <file>");
  process.exit(2);
}
if (action === "unpack") writeFileSync(file, unpackFamily(family));
else packFamily(family, readFileSync(file, "utf8"));
