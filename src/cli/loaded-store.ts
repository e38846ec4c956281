import { newTarget } from '../server/index.ts'
import type { MemoryStore } from '../store/index.ts'
import { loadKind, parseLoad } from './load-kind.ts'
import { recordOptionsIn } from './options/record-options.ts'
import { tellBadLines } from './reading.ts'
import type { Terminal } from './terminal.ts'

/** Files that are read into memory, `kind=file` or a file of logs each; `said` is what the command says of their records. */
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
