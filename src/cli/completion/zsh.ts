import type { Step } from "./command-steps.ts";
import { anyCommand, quoted, rowsByArgument, rowsByCommand, rowsByOption } from "./shell-words.ts";

/** The loop takes the words that are typed up to the first option: the command. */
export function zshScript(steps: readonly Step[]): string {
  const described = ({ commands, options }: Step) =>
    [...commands, ...options].map(({ name, summary }) => quoted(`${name}:${summary}`)).join(" ");
  const valuesOfOption = rowsByOption(steps, (values) => `compadd -- ${values}; return`);
  const whatFollows = rowsByCommand(steps, (step) => `found=(${described(step)})`);
  // Only the first argument has such values, and it follows the command.
  const argumentsToo = rowsByArgument(steps, (values) => `found=(${values} $found)`);
  return `#compdef skedchange
# Completes skedchange in zsh.
_skedchange() {
  local typed='' word
  local -i count=1
  local -a found
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -* ]] && break
    case "$typed $word" in
      ${anyCommand(steps)}) typed="$typed $word"; (( count++ )) ;;
      *) break ;;
    esac
  done
  case "$typed \${words[CURRENT-1]}" in
${valuesOfOption}
  esac
  case "$typed" in
${whatFollows}
  esac
  (( count == CURRENT - 1 )) && case "$typed" in
${argumentsToo}
  esac
  _describe 'skedchange' found
  _files
}
compdef _skedchange skedchange
_skedchange_of_npx() {
  [[ \${words[2]} == skedchange && $CURRENT -gt 2 ]] || return 1
  shift words
  (( CURRENT-- ))
  _skedchange
}
compdef _skedchange_of_npx npx`;
}
