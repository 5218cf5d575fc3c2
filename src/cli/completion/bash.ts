import type { Step } from "./command-steps.ts";
import { anyCommand, rowsByArgument, rowsByCommand, rowsByOption } from "./shell-words.ts";

/** The loop takes the words that are typed up to the first option: the command. */
export function bashScript(steps: readonly Step[]): string {
  const words = ({ commands, options }: Step) => [...commands, ...options].map(({ name }) => name).join(" ");
  const whatFollows = rowsByCommand(steps, (step) => `word="${words(step)}"`);
  // Only the first argument has such values, and it follows the command.
  const argumentsToo = rowsByArgument(steps, (values) => `word="${values} $word"`);
  const valuesOfOption = rowsByOption(steps, (values) => `word="${values}"`);
  return `# Completes skedchange in bash.
_skedchange() {
  local typed="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in
      -*) break ;;
    esac
    case "$typed $word" in
      ${anyCommand(steps)}) typed="$typed $word" ;;
      *) break ;;
    esac
  done
  case "$typed" in
${whatFollows}
  esac
  ((i == COMP_CWORD)) && case "$typed" in
${argumentsToo}
  esac
  case "$typed \${COMP_WORDS[COMP_CWORD - 1]}" in
${valuesOfOption}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$word" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _skedchange skedchange
_skedchange_of_npx() {
  [[ "\${COMP_WORDS[1]}" == skedchange && $COMP_CWORD -gt 1 ]] || return
  COMP_WORDS=("\${COMP_WORDS[@]:1}")
  COMP_CWORD=$((COMP_CWORD - 1))
  _skedchange
}
complete -o default -F _skedchange_of_npx npx`;
}
