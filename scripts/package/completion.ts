import { commands } from '../../server/commands/commands.ts'
import { optionTable } from '../../server/configuration/option-table.ts'

/** What a command takes, from the lines of its help that begin with it: `user reset-password LOGIN [--config FILE]`. */
const wordsOf = (name: string, usage: string): string[] => {
  const lines = usage.match(/^(?:Usage:| {6}) sightline .*$/gm) ?? []
  const verbs = lines.flatMap((line) => line.match(new RegExp(`(?<= sightline ${name} )[a-z-]+`)) ?? [])
  const flags = lines.flatMap((line) => line.match(/--[a-z-]+/g) ?? [])
  return [...new Set([...verbs, ...flags, '--help'])]
}

/** The bash completion, from the commands and options. */
export const completion = (): string => {
  const flags = optionTable.flatMap(({ flag }) => (flag === undefined ? [] : [flag.split(' ')[0] ?? '']))
  const cases = Object.entries(commands).map(([name, { usage }]) => {
    const words = name === 'start' ? [...flags, '--config', '--help'] : wordsOf(name, usage)
    return `${name === 'start' ? 'start | -*' : name}) words='${words.join(' ')}' ;;`
  })
  return `# bash completion of sightline
_sightline() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]}
  case $before in
    --config | --tls-cert | --tls-key | --log) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --data-dir | --forget-volume) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
  esac
  if [[ $before == @(backup|restore) && $word != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -d -- "$word")
    return
  fi
  local words
  if ((COMP_CWORD == 1)); then
    words='${[...Object.keys(commands), '--version', '--help'].join(' ')}'
  else
    case $command in
      ${cases.join('\n      ')}
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o filenames -F _sightline sightline
`
}
