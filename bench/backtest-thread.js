/** A thread of a backtest, run from TypeScript: Node.js does not hand the loader of tsx on to threads. */
import { register } from "tsx/esm/api";

register();
await import("../src/app/backtest/backtest-worker.ts");
