import type { Command } from "commander";
import type { Finish, Terminal } from "../terminal.ts";

/** `skedchange serve`: runs until it is told to stop. */
export function addServeCommand(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command("serve")
    .description("run the server; without any settings, a complete demo on this machine")
    .action(async () => {
      // Loaded here so that the small commands do not pay for the whole server.
      const { serve } = await import("../../app/main.ts");
      finish(await serve({ environment: { ...terminal.environment } }));
    });
}
