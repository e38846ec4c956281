import type { Command } from 'commander'
import { CommandError, formatRfc3339 } from '../../base/index.ts'
import { auditRecords, documentsOf, type AuditRecord } from '../../resources/index.ts'
import { diskFiles, readLog, readMarker } from '../../store/durable/index.ts'
import { defaultBackendId } from '../../server/index.ts'
import { excerpt } from '../../wire/index.ts'
import type { CommandModule } from '../command.ts'
import type { Terminal } from '../terminal.ts'

interface AuditArguments {
  readonly data: string
  readonly backend: string
  readonly after: string
  readonly format: string
}

function revisions({ from, to }: AuditRecord): string {
  return `${from ?? 'nothing'} -> ${to ?? 'nothing'}`
}

/** Formats one change; control characters in users' names are made visible. */
function lineOf(record: AuditRecord): string {
  const { number, atNs, action, kind, id, name, by, email, members } = record
  const what = name === undefined ? excerpt(id) : `"${excerpt(name)}" (${excerpt(id)})`
  const who = email === undefined ? by : `${by} (${excerpt(email)})`
  const changed = members.length === 0 ? '' : `: ${excerpt(members.join(', '))}`
  return `${number}  ${formatRfc3339(atNs, true)}  ${who}  ${action} ${kind} ${what}, revision ${revisions(record)}${changed}`
}

function jsonOf({ atNs, ...record }: AuditRecord): string {
  return JSON.stringify({ ...record, at: formatRfc3339(atNs) })
}

async function run(options: AuditArguments, terminal: Terminal): Promise<void> {
  const after = Number(options.after)
  if (!Number.isSafeInteger(after) || after < 0)
    throw new CommandError(`--after needs the number of a change, not \`${options.after}\`.`)
  if (options.format !== 'text' && options.format !== 'ndjson')
    throw new CommandError(`--format is text or ndjson, not \`${options.format}\`.`)
  // Takes no lock, since a server may be running.
  const folderId = readMarker(diskFiles, options.data)
  if (folderId === undefined) throw new CommandError(`${options.data} is not a data folder.`)
  const view = documentsOf(readLog(diskFiles, options.data, 'resources', folderId), options.backend)
  const toLine = options.format === 'text' ? lineOf : jsonOf
  for (const record of auditRecords(view, after)) await terminal.write(`${toLine(record)}\n`)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .requiredOption('--data <folder>', 'the data folder of a server')
    .option('--backend <id>', 'whose changes', defaultBackendId)
    .option('--after <number>', 'show only changes after this number', '0')
    .option('--format <name>', 'text or ndjson', 'text')
    .action((options: AuditArguments) => run(options, terminal))
}
