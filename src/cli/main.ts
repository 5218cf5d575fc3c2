import { demoCredentials } from "../config/demo-credentials.ts";
import { runCli } from "./run-cli.ts";

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
