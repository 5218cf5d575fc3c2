import { demoCredentials } from "../config/demo-credentials.ts";
import { runCli } from "./run-cli.ts";

/** 128 + SIGPIPE, as shells report it. */
const brokenPipe = 141;

// `skedchange cases | head` ends reading before everything is written.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(brokenPipe);
});

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  fetch,
  demoCredentials,
  onInterrupt: (listener) => {
    process.once("SIGINT", listener);
    return () => process.off("SIGINT", listener);
  },
});
