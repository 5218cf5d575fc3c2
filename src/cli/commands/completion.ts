import { Argument, type Command, Option } from "commander";
import { type Terminal, writeDocument } from "../terminal.ts";

const shells = { bash: forBash, zsh: forZsh, fish: forFish };

/** What can follow a command as typed: `""`, `policy`, `policy check`. */
interface Step {
  readonly typed: string;
  readonly commands: readonly { readonly name: string; readonly does: string }[];
  /** What the first argument can be; empty if it is not one of a few values. */
  readonly values: readonly string[];
  readonly options: readonly {
    readonly name: string;
    readonly does: string;
    /** What its value can be; empty if it is not one of a few. */
    readonly values: readonly string[];
  }[];
}

/** Prints a script from which a shell completes commands, options and values. It calls nothing when it completes. */
export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command("completion")
    .description("print a script with which your shell completes commands, options and values")
    .addArgument(new Argument("<shell>").choices(Object.keys(shells)))
    .action((shell: keyof typeof shells) => void writeDocument(terminal, `${shells[shell](stepsOf(program))}\n`));
}

function stepsOf(command: Command, typed: readonly string[] = []): readonly Step[] {
  const help = new Option("--help", "what is possible");
  const step: Step = {
    typed: typed.join(" "),
    commands: command.commands.map((each) => ({ name: each.name(), does: firstSentence(each.description()) })),
    values: command.registeredArguments[0]?.argChoices ?? [],
    options: [...command.options, help].flatMap(({ long, description, argChoices }) =>
      long == null ? [] : [{ name: long, does: firstSentence(description), values: argChoices ?? [] }],
    ),
  };
  return [step, ...command.commands.flatMap((each) => stepsOf(each, [...typed, each.name()]))];
}

/** Without what a shell would read as its own; the apostrophe is for `quoted`. */
function firstSentence(text: string): string {
  return (text.split(/[.;:(]/)[0] ?? "").replaceAll(/[^\p{L}\p{N} ,_'-]/gu, "").trim();
}

/** The same in bash, zsh and fish. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Takes the words that are typed up to the first option: the command. */
const bashHead = `_skedchange() {
  local typed="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in
      -*) break ;;
    esac
    case "$typed $word" in`;

function forBash(steps: readonly Step[]): string {
  const known = steps.filter(({ typed }) => typed !== "").map(({ typed }) => `"${spaced(typed)}"`);
  const words = ({ commands, options }: Step) => [...commands, ...options].map(({ name }) => name).join(" ");
  return [
    "# Completes skedchange in bash.",
    bashHead,
    `      ${known.join("|")}) typed="$typed $word" ;;`,
    "      *) break ;;",
    "    esac",
    "  done",
    `  case "$typed" in`,
    ...steps.map((step) => `    "${spaced(step.typed)}") word="${words(step)}" ;;`),
    "  esac",
    // Only the first argument has such values, and it follows the command.
    `  ((i == COMP_CWORD)) && case "$typed" in`,
    ...stepsWithValues(steps).map(({ typed, values }) => `    "${spaced(typed)}") word="${values.join(" ")} $word" ;;`),
    "  esac",
    '  case "$typed ${COMP_WORDS[COMP_CWORD - 1]}" in',
    ...valuesOfOptions(steps).map(([after, values]) => `    "${after}") word="${values.join(" ")}" ;;`),
    "  esac",
    `  mapfile -t COMPREPLY < <(compgen -W "$word" -- "\${COMP_WORDS[COMP_CWORD]}")`,
    "}",
    "complete -o default -F _skedchange skedchange",
    "_skedchange_of_npx() {",
    '  [[ "${COMP_WORDS[1]}" == skedchange && $COMP_CWORD -gt 1 ]] || return',
    '  COMP_WORDS=("${COMP_WORDS[@]:1}")',
    "  COMP_CWORD=$((COMP_CWORD - 1))",
    "  _skedchange",
    "}",
    "complete -o default -F _skedchange_of_npx npx",
  ].join("\n");
}

function stepsWithValues(steps: readonly Step[]): readonly Step[] {
  return steps.filter(({ values }) => values.length > 0);
}

/** For each option with values, the command and the option as typed, and the values. */
function valuesOfOptions(steps: readonly Step[]): readonly (readonly [after: string, values: readonly string[]])[] {
  return steps.flatMap(({ typed, options }) =>
    options
      .filter(({ values }) => values.length > 0)
      .map(({ name, values }) => [`${spaced(typed)} ${name}`, values] as const),
  );
}

function spaced(typed: string): string {
  return typed === "" ? "" : ` ${typed}`;
}

function forZsh(steps: readonly Step[]): string {
  const described = ({ commands, options }: Step) =>
    [...commands, ...options].map(({ name, does }) => quoted(`${name}:${does}`)).join(" ");
  return [
    "#compdef skedchange",
    "# Completes skedchange in zsh.",
    "_skedchange() {",
    "  local typed='' word",
    "  local -i count=1",
    "  local -a found",
    "  for word in ${words[2,CURRENT-1]}; do",
    "    [[ $word == -* ]] && break",
    '    case "$typed $word" in',
    `      ${steps
      .filter(({ typed }) => typed !== "")
      .map(({ typed }) => `"${spaced(typed)}"`)
      .join("|")}) typed="$typed $word"; (( count++ )) ;;`,
    "      *) break ;;",
    "    esac",
    "  done",
    '  case "$typed ${words[CURRENT-1]}" in',
    ...valuesOfOptions(steps).map(([after, values]) => `    "${after}") compadd -- ${values.join(" ")}; return ;;`),
    "  esac",
    '  case "$typed" in',
    ...steps.map((step) => `    "${spaced(step.typed)}") found=(${described(step)}) ;;`),
    "  esac",
    // Only the first argument has such values, and it follows the command.
    '  (( count == CURRENT - 1 )) && case "$typed" in',
    ...stepsWithValues(steps).map(
      ({ typed, values }) => `    "${spaced(typed)}") found=(${values.join(" ")} $found) ;;`,
    ),
    "  esac",
    "  _describe 'skedchange' found",
    "  _files",
    "}",
    "compdef _skedchange skedchange",
    "_skedchange_of_npx() {",
    "  [[ ${words[2]} == skedchange && $CURRENT -gt 2 ]] || return 1",
    "  shift words",
    "  (( CURRENT-- ))",
    "  _skedchange",
    "}",
    "compdef _skedchange_of_npx npx",
  ].join("\n");
}

function forFish(steps: readonly Step[]): string {
  return [
    "# Completes skedchange in fish.",
    "function __skedchange_typed",
    "  set -l typed",
    "  for word in (commandline -opc)[2..-1]",
    "    string match -q -- '-*' $word; and break",
    "    set -a typed $word",
    "  end",
    `  set -l joined (string join ' ' $typed)`,
    // In quotes, since nothing typed is no word at all.
    `  test "$joined" = "$argv[1]"; or begin; set -q argv[2]; and string match -q -- "$argv[2]" "$joined"; end`,
    "end",
    "function __skedchange_of_npx",
    "  set -l words (commandline -opc)",
    "  test (count $words) -gt 1; and test $words[2] = skedchange",
    "end",
    `complete -c npx -f -n __skedchange_of_npx -a '(complete -C (string replace -r "^\\\\s*npx\\\\s+" "" -- (commandline -cp)))'`,
    ...steps.flatMap(({ typed, commands, values, options }) => [
      ...values.map((value) => `complete -c skedchange -f -n '__skedchange_typed "${typed}"' -a ${value}`),
      ...commands.map(
        ({ name, does }) =>
          `complete -c skedchange -f -n '__skedchange_typed "${typed}"' -a ${name} -d ${quoted(does)}`,
      ),
      ...options.map(
        ({ name, does, values: given }) =>
          `complete -c skedchange -n '__skedchange_typed "${typed}"${typed === "" ? "" : ` "${typed} *"`}' -l ${name.slice(2)}${valuesForFish(given)} -d ${quoted(does)}`,
      ),
    ]),
  ].join("\n");
}

/** Without values, fish completes files after the option. */
function valuesForFish(values: readonly string[]): string {
  return values.length === 0 ? "" : ` -x -a ${quoted(values.join(" "))}`;
}
