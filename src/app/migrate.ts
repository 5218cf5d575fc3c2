import { readFileSync } from "node:fs";
import { loadDatabaseSettings } from "../config/load-settings.ts";
import { AppError } from "../kernel/app-error.ts";
import { openStorage } from "./storage.ts";

/** Returns where the database is, as text for people. An embedded server runs only meanwhile. */
export async function migrateDatabase(environment: NodeJS.ProcessEnv, print: (line: string) => void): Promise<string> {
  const loaded = loadDatabaseSettings(environment, (path) => readFileSync(path, "utf8"), { needsKeys: false });
  if (!loaded.ok) throw new AppError("config.invalid", loaded.problems.join("\n"));
  // Opening the storage migrates it.
  const storage = await openStorage(loaded, environment, print);
  await storage.stop();
  return storage.place;
}
