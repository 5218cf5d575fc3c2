import { type Command, Option } from "commander";

/** What can follow a command as typed: `""`, `policy`, `policy check`. */
export interface Step {
  readonly typed: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  /** What the first argument can be; empty if it is not one of a few values. */
  readonly values: readonly string[];
  readonly options: readonly {
    readonly name: string;
    readonly summary: string;
    /** What its value can be; empty if it is not one of a few. */
    readonly values: readonly string[];
  }[];
}

/** The step of the command, then those of all commands below it. */
export function stepsOf(command: Command, typed: readonly string[] = []): readonly Step[] {
  const help = new Option("--help", "what is possible");
  const step: Step = {
    typed: typed.join(" "),
    commands: command.commands.map((each) => ({ name: each.name(), summary: firstSentence(each.description()) })),
    values: command.registeredArguments[0]?.argChoices ?? [],
    options: [...command.options, help].flatMap(({ long, description, argChoices }) =>
      long == null ? [] : [{ name: long, summary: firstSentence(description), values: argChoices ?? [] }],
    ),
  };
  return [step, ...command.commands.flatMap((each) => stepsOf(each, [...typed, each.name()]))];
}

/** Without what a shell would read as its own; the apostrophe is for `quoted`. */
function firstSentence(text: string): string {
  return (text.split(/[.;:(]/)[0] ?? "").replaceAll(/[^\p{L}\p{N} ,_'-]/gu, "").trim();
}
