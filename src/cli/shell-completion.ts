import type { Command, Option } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

function flagsOf(option: Option): readonly string[] {
  return option.flags.match(/(?<=^|[\s,])--?[a-z][a-z-]*/g) ?? []
}

/** Quotes a text with single quotes, for sh and fish. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "'\\''")}'`
}

function optionsOf(command: Command): readonly Option[] {
  return [
    ...command.options,
    ...command
      .createHelp()
      .visibleOptions(command)
      .filter(({ long }) => long === '--help'),
  ]
}

/** Returns patterns for a shell's `case` (bash and zsh) that map an option or command to its possible values. */
function cases(program: Command, choicesOf: (words: string) => string): string {
  const perCommand = program.commands.map((command) => {
    const words = [...optionsOf(command).flatMap(flagsOf), ...command.commands.map((child) => child.name())]
    const choices = command.options
      .filter(({ argChoices }) => argChoices !== undefined)
      .map(
        (option) =>
          `      ${flagsOf(option).join('|')}) ${choicesOf((option.argChoices ?? []).join(' '))}; return ;;\n`,
      )
    const inner = choices.length === 0 ? '' : `    case "$previous" in\n${choices.join('')}    esac\n`
    const isParent = command.commands.length > 0
    return `  ${command.name()})\n${inner}    words=${quoted(words.join(' '))}${isParent ? ' only=yes' : ''} ;;\n`
  })
  return perCommand.join('')
}

function bash(program: Command): string {
  const names = program.commands.map((command) => command.name()).join(' ')
  const offer = (words: string): string => `COMPREPLY=($(compgen -W ${quoted(words)} -- "$current"))`
  return `# bash completion of sluice
_sluice() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words='' only=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${offer(`${names} --help --version`)}
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases(program, offer)}  esac
  if [[ "$current" == -* || -n "$only" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _sluice sluice
`
}

function zsh(program: Command): string {
  const names = program.commands.map((command) => `${command.name()}:${command.summary().replaceAll(':', '\\:')}`)
  return `#compdef sluice
_sluice() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" command="\${words[2]}"
  if (( CURRENT == 2 )); then
    local -a names=(${names.map(quoted).join(' ')})
    _describe command names
    return
  fi
  local words='' only=''
  case "$command" in
${cases(program, (words) => `compadd -- ${words}`)}  esac
  if [[ "$current" == -* || -n "$only" ]]; then
    compadd -- \${=words}
  else
    _files
  fi
}
if [ "\${funcstack[1]}" = _sluice ]; then _sluice "$@"; else compdef _sluice sluice; fi
`
}

function fish(program: Command): string {
  const lines = ['# fish completion of sluice']
  for (const command of program.commands) {
    const name = command.name()
    lines.push(`complete -c sluice -n __fish_use_subcommand -f -a ${name} -d ${quoted(command.summary())}`)
    for (const option of optionsOf(command)) {
      const flags = flagsOf(option).map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      )
      const value =
        option.argChoices === undefined
          ? option.required
            ? ' -r'
            : ''
          : ` -x -a ${quoted(option.argChoices.join(' '))}`
      lines.push(
        `complete -c sluice -n '__fish_seen_subcommand_from ${name}' ${flags.join(' ')}${value} -d ${quoted(option.description)}`,
      )
    }
    for (const child of command.commands) {
      const about = quoted(child.description())
      lines.push(`complete -c sluice -n '__fish_seen_subcommand_from ${name}' -a ${child.name()} -d ${about}`)
    }
  }
  return `${lines.join('\n')}\n`
}

/** Completion scripts for commands, options, and values of options with a fixed list of them. */
export const scripts: { readonly [S in Shell]: (program: Command) => string } = { bash, zsh, fish }
