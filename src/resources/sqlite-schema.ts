import { SluiceError } from '../base/index.ts'
import { inTransaction, type SqliteConnection } from '../store/sqlite/index.ts'
import { refusal } from './resource-error.ts'

/** "SLRS" as a number: tells our files from those of other programs. */
export const APPLICATION_ID = 0x534c5253

/** Each step lifts the file by one version; a fixture of every version is kept under `test/resources/fixtures`. */
const migrations: readonly string[] = [
  `CREATE TABLE documents (
    backend TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT,
    revision INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_by TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (backend, kind, id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE UNIQUE INDEX documents_by_name ON documents (backend, kind, name) WHERE name IS NOT NULL`,
]

export const VERSION = migrations.length

function numberPragma(connection: SqliteConnection, name: string): number {
  return Number(connection.pragma(name, { simple: true }))
}

/**
 * Checks whose file it is and that it is whole, then lifts it to the current version. Throws ResourceError
 * `resources/not-ours`, `resources/newer-version`, `resources/damaged`.
 */
export function migrate(connection: SqliteConnection): void {
  try {
    const found = numberPragma(connection, 'user_version')
    const application = numberPragma(connection, 'application_id')
    const isEmpty = connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
    if (!isEmpty && application !== APPLICATION_ID) throw refusal('damaged', 'not-ours', {})
    if (found > VERSION) throw refusal('damaged', 'newer-version', { found, known: VERSION })
    const [problem] = connection.pragma('quick_check(1)') as readonly { readonly quick_check: string }[]
    if (problem?.quick_check !== 'ok') throw refusal('damaged', 'damaged', { what: 'its pages do not fit together' })
    for (const [version, migration] of migrations.entries()) {
      if (version < found) continue
      inTransaction(connection, () => {
        connection.exec(migration)
        connection.pragma(`application_id = ${APPLICATION_ID}`)
        connection.pragma(`user_version = ${version + 1}`)
      })
    }
  } catch (error) {
    if (error instanceof SluiceError) throw error
    throw refusal('damaged', 'damaged', { what: 'it cannot be read' })
  }
}
