export { level } from "../telemetry/level.ts";
