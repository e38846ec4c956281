import { CommandError } from '../base/index.ts'
import type { LintPolicy } from '../engine/index.ts'
import type { FormatName } from '../ingest/index.ts'
import { newTarget } from '../server/index.ts'
import { loadFiles, namedFiles } from '../sources/files/index.ts'
import type { MemoryStore } from '../store/index.ts'
import { loadKind, parseLoad } from './load-kind.ts'
import { recordOptionsIn } from './options/record-options.ts'
import { progressOn, tellBadLines } from './reading.ts'
import { openSession, type BackendName, type Session } from './session.ts'
import type { Terminal } from './terminal.ts'

/** Reads files into memory. Each is `kind=file`, or a file of logs. `said` has the record options of the command. */
export async function loadedStore(files: readonly string[], said: object, terminal: Terminal): Promise<MemoryStore> {
  const target = newTarget()
  const options = recordOptionsIn(said)
  const { signal } = terminal
  for (const { kind, path } of files.map(parseLoad))
    tellBadLines(
      await loadKind(kind, path, target, { format: 'auto', nowNs: terminal.nowNs(), options, signal }),
      options,
      terminal,
    )
  return target.store
}

interface MemoryArguments {
  readonly table: string
  readonly input: FormatName
  readonly backend: BackendName
  readonly withFileName?: boolean
  readonly quiet?: boolean
}

/** Opens a session over files that are read once into memory; reports records that could not be read. */
export async function memorySession(
  paths: readonly string[],
  options: MemoryArguments,
  terminal: Terminal,
  lint: LintPolicy,
): Promise<Session> {
  const target = newTarget()
  if (!target.store.tables.has(options.table))
    throw new CommandError(
      `There is no table ${options.table}; there are ${[...target.store.tables.keys()].join(', ')}.`,
    )
  const table = target.store.table(options.table)
  const said = recordOptionsIn(options)
  const readOptions = {
    ...namedFiles(paths),
    format: options.input,
    nowNs: terminal.nowNs(),
    options: said,
    hasFileNames: options.withFileName,
    onProgress: progressOn(terminal),
    signal: terminal.signal,
  }
  const report = await loadFiles(readOptions.paths, table, readOptions)
  if (options.quiet !== true) tellBadLines(report, said, terminal)
  table.seal()
  return openSession(target.store, options.backend, terminal, lint)
}
