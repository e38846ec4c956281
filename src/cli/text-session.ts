import type { Command } from 'commander'
import type { KnownFields } from '../plan/index.ts'
import { createMemoryStore, standardCatalog } from '../store/index.ts'
import { needing } from './options/conditions.ts'
import { addRecordOptions } from './options/record-options.ts'
import { openSession, type Session } from './session.ts'
import type { Terminal } from './terminal.ts'

/** Adds `--load`, which can be repeated; the record options; and `--catalog`. */
export function loadOption(command: Command): Command {
  const gather = (path: string, before?: readonly string[]): readonly string[] => [...(before ?? []), path]
  return addRecordOptions(command, (option) => needing(option, '--load'))
    .option('--load <kind=file>', loadHelp, gather)
    .option('--catalog <file>', 'the tables of other databases, as this catalog maps them')
}

const loadHelp =
  'a file that says which fields and values there are, of a kind that `serve --load` takes, logs when none is named; may be given again'

interface TextArguments {
  readonly load?: readonly string[]
  readonly catalog?: string
}

/**
 * Opens a session for commands that only parse queries. It knows fields and values of loaded files, and fields of a
 * catalog or Parquet files.
 */
export async function textSession(
  terminal: Terminal,
  said: TextArguments = {},
): Promise<Session & { readonly known?: (table: string) => KnownFields | undefined }> {
  const { load = [] } = said
  const { databasesOf } = await import('./databases.ts')
  const open = await databasesOf(load, { catalog: said.catalog, quiet: true }, terminal)
  if (open !== undefined) return open()
  if (load.length > 0) {
    const store = await (await import('./loaded-store.ts')).loadedStore(load, said, terminal)
    const known = (name: string): KnownFields | undefined => {
      const fields = store.tables.get(name)?.knownFields()
      return fields === undefined || fields.rows === 0 ? undefined : fields
    }
    return { ...(await openSession(store, 'columnar', terminal, 'warn')), known }
  }
  return openSession(createMemoryStore(standardCatalog), 'columnar', terminal, 'warn')
}
