import { demoCredentials } from "../config/demo-credentials.ts";
import { runCli } from "./run-cli.ts";

/** 128 + SIGPIPE, as shells report it. */
const brokenPipe = 141;

/** Ctrl-C, `kill`, and a terminal whose window is closed. */
const interrupts = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

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
    const off = (): void => {
      for (const signal of interrupts) process.off(signal, end);
    };
    // The next signal ends the process at once.
    const end = (): void => {
      off();
      listener();
    };
    for (const signal of interrupts) process.on(signal, end);
    return off;
  },
});
