import { readFileSync } from "node:fs";
import { loadDatabaseSettings } from "../config/load-settings.ts";
import { AppError } from "../kernel/app-error.ts";
import { openStorage } from "./storage.ts";
import { describePeriods, periodsOf, storePeriods } from "./stored-periods.ts";

/** Also stores the periods of retention. Returns where the database is, as text for people. An embedded server runs only meanwhile. */
export async function migrateDatabase(environment: NodeJS.ProcessEnv, print: (line: string) => void): Promise<string> {
  const loaded = loadDatabaseSettings(environment, (path) => readFileSync(path, "utf8"), { needsKeys: false });
  if (!loaded.ok) throw new AppError("config.invalid", loaded.problems.join("\n"));
  // Opening the storage migrates it.
  const storage = await openStorage(loaded, environment, { print });
  try {
    const { settings } = loaded;
    if (await storePeriods(storage, settings))
      print(`retention keeps ${describePeriods(periodsOf(settings))} from now on`);
    return storage.place;
  } finally {
    await storage.stop();
  }
}
