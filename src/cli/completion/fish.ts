import type { Step } from "./command-steps.ts";
import { quoted } from "./shell-words.ts";

/** Its first function compares what is typed up to the first option; in quotes, since nothing typed is no word at all. */
export function fishScript(steps: readonly Step[]): string {
  return `# Completes skedchange in fish.
function __skedchange_typed
  set -l typed
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and break
    set -a typed $word
  end
  set -l joined (string join ' ' $typed)
  test "$joined" = "$argv[1]"; or begin; set -q argv[2]; and string match -q -- "$argv[2]" "$joined"; end
end
function __skedchange_of_npx
  set -l words (commandline -opc)
  test (count $words) -gt 1; and test $words[2] = skedchange
end
complete -c npx -f -n __skedchange_of_npx -a '(complete -C (string replace -r "^\\\\s*npx\\\\s+" "" -- (commandline -cp)))'
${steps.flatMap(linesOf).join("\n")}`;
}

function linesOf({ typed, commands, values, options }: Step): readonly string[] {
  const behind = `'__skedchange_typed "${typed}"'`;
  // Options may stand behind arguments as well.
  const anywhereBehind = typed === "" ? behind : `'__skedchange_typed "${typed}" "${typed} *"'`;
  return [
    ...values.map((value) => `complete -c skedchange -f -n ${behind} -a ${value}`),
    ...commands.map(({ name, summary }) => `complete -c skedchange -f -n ${behind} -a ${name} -d ${quoted(summary)}`),
    ...options.map(({ name, summary, values: ofOption }) => {
      const option = `-l ${name.slice(2)}${valuesOf(ofOption)} -d ${quoted(summary)}`;
      return `complete -c skedchange -n ${anywhereBehind} ${option}`;
    }),
  ];
}

/** Without values, fish completes files after the option. */
function valuesOf(values: readonly string[]): string {
  return values.length === 0 ? "" : ` -x -a ${quoted(values.join(" "))}`;
}
