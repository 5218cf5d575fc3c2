import { Argument, type Command } from "commander";
import { bashScript } from "../completion/bash.ts";
import { stepsOf } from "../completion/command-steps.ts";
import { fishScript } from "../completion/fish.ts";
import { zshScript } from "../completion/zsh.ts";
import { type Terminal, writeDocument } from "../terminal.ts";

const shells = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Prints a script from which a shell completes commands, options and values. It calls nothing when it completes. */
export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command("completion")
    .description("print a script with which your shell completes commands, options and values")
    .addArgument(new Argument("<shell>").choices(Object.keys(shells)))
    .action((shell: keyof typeof shells) => void writeDocument(terminal, `${shells[shell](stepsOf(program))}\n`));
}
