import { commands } from '../../server/commands/commands.ts'
import { optionTable } from '../../server/configuration/option-table.ts'

/** The bash completion, from the commands and options. */
export const completion = (): string => {
  const flags = optionTable.flatMap(({ flag }) => (flag === undefined ? [] : [flag.split(' ')[0] ?? '']))
  return `# bash completion of sightline
_sightline() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]}
  case $before in
    --config | --tls-cert | --tls-key) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --data-dir) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
  esac
  if [[ $before == @(backup|restore) && $word != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -d -- "$word")
    return
  fi
  local words
  if ((COMP_CWORD == 1)); then
    words='${[...Object.keys(commands), '--version', '--help'].join(' ')}'
  elif [[ $command == start ]]; then
    words='${[...flags, '--config', '--help'].join(' ')}'
  else
    words='--config --data-dir --help'
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o filenames -F _sightline sightline
`
}
