import type { Command } from 'commander'
import { referenceEntries, type ReferenceEntry } from './reference.ts'

/** Escapes a text for roff as ASCII, so that no line is taken as a request and dashes stay dashes. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(
      /[^\n -~]/gu,
      (char) => `\\[u${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .split('\n')
    .map((line) => (/^[.']/.test(line) ? `\\&${line}` : line))
    .join('\n')
}

function commandText(command: Command, path: string): string {
  const help = command.createHelp()
  const lines = [`.SS ${roff(`${path}${command.name()} ${command.usage()}`)}`, roff(command.description())]
  for (const argument of command.registeredArguments) {
    if (argument.description !== '') lines.push('.TP', `.I ${roff(argument.name())}`, roff(argument.description))
  }
  for (const option of command.options)
    lines.push('.TP', `.B ${roff(option.flags)}`, roff(help.optionDescription(option)))
  return [...lines, ...command.commands.map((child) => commandText(child, `${path}${command.name()} `))].join('\n')
}

function entryText({ kind, name, blocks }: ReferenceEntry): string {
  const parts = blocks.flatMap(({ text, isCode }) =>
    isCode ? ['.PP', '.RS 4', '.nf', roff(text), '.fi', '.RE'] : ['.PP', roff(text)],
  )
  return [`.SS ${roff(name)} (${kind})`, ...parts].join('\n')
}

/** Returns the manual page, for `man`. */
export function manualOf(program: Command): string {
  const version = program.version() ?? ''
  const names = program.commands.map((command) => commandText(command, 'sluice ')).join('\n')
  return `.TH SLUICE 1 "" "sluice ${roff(version)}" "User Commands"
.SH NAME
sluice \\- ${roff(program.description())}
.SH SYNOPSIS
.B sluice
.I command
[\\fIoptions\\fR] [\\fIarguments\\fR]
.PP
On a terminal
.B sluice
alone opens a prompt;
.B sluice
.I file
opens it on the file.
.SH COMMANDS
${names}
.SH LANGUAGE
${referenceEntries().map(entryText).join('\n')}
.SH EXIT STATUS
0: fine; 1: the answer is no, such as a query with an error; 2: wrong use.
.SH ENVIRONMENT
.TP
.B SLUICE_API_KEY
The key that \\fBserve\\fR lets in when it is given no file of keys.
.TP
.B SLUICE_CONFIG
The configuration, in place of \\fI$XDG_CONFIG_HOME/sluice/config.yaml\\fR.
.TP
.B SLUICE_\\fIOPTION\\fR, \\fBSLUICE_\\fICOMMAND\\fB_\\fIOPTION\\fR
An option that the command line does not give, such as SLUICE_FORMAT or SLUICE_SERVE_PORT.
.TP
.B PAGER
What shows answers in the prompt that are higher than the screen; \\fBless\\fR unless set, nothing if empty.
.TP
.B NO_COLOR, FORCE_COLOR
Whether answers are coloured.
`
}
