// A process of Skedchange as `skedchange serve` starts one, with shorter waits: a run of the fault suite cannot wait for
// leases and retries as long as production does. No setting does this; only this file.
import { readFileSync } from "node:fs";
import { startServer } from "../../src/app/start-server.ts";
import { loadSettings } from "../../src/config/load-settings.ts";
import { createLogger } from "../../src/telemetry/json-logger.ts";
import { shortTiming } from "./timing.ts";

const loaded = loadSettings(process.env, (path) => readFileSync(path, "utf8"));
if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
const { configuration } = loaded;
const server = await startServer({
  configuration,
  environment: process.env,
  logger: createLogger({ level: configuration.settings.LOG_LEVEL }),
  print: console.error,
  timing: shortTiming,
});
for (const line of server.introduction) console.error(line);
process.once("SIGTERM", () => {
  void server.stop().finally(() => process.exit(0));
});
