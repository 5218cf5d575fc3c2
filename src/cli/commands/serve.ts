import type { Command } from "commander";
import type { Finish, Terminal } from "../terminal.ts";

export function addServeCommand(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command("serve")
    .description("run the server; without any settings, a complete demo on this machine")
    .action(async () => {
      const { serve } = await import("../../app/main.ts");
      finish(await serve({ environment: { ...terminal.environment } }));
    });
}
