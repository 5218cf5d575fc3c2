import { shared } from "./start-database.ts";

/** Jest calls it once after all test files. */
export default async function stopDatabase(): Promise<void> {
  await shared.skedchangeTestServer?.stop();
}
