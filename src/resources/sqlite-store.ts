import { SluiceError } from '../base/index.ts'
import { inTransaction, openSqlite, type SqliteConnection } from '../store/sqlite/index.ts'
import { Change } from './change.ts'
import type { Actor, DocumentStore, DocumentTransaction, DocumentView } from './document-store.ts'
import { ResourceError, refusal } from './resource-error.ts'
import { SqliteDocuments, checkAll, prepareStatements, type Statements } from './sqlite-documents.ts'
import { migrate } from './sqlite-schema.ts'
import { checkSynchronous } from './synchronous.ts'
import { WriteQueue, type Waiting } from './write-queue.ts'

/** The code of an error of the database itself; `undefined` for every other error. */
function sqliteCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('SQLITE_') ? code : undefined
}

function storageFailure(code: string): ResourceError {
  if (code === 'SQLITE_FULL') return refusal('no-space', 'disk-full', {})
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB')
    return refusal('damaged', 'damaged', { what: 'its pages do not fit together' })
  return refusal('unavailable', 'write-failed', { reason: code })
}

/** An error of the database that leaves nothing of the whole group certain. */
class GroupFailed extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

class SqliteDocumentStore implements DocumentStore {
  readonly #connection: SqliteConnection
  readonly #statements: Statements
  readonly #nowNs: () => bigint
  readonly #queue = new WriteQueue((group) => this.#commit(group))
  #commits = 0

  constructor(connection: SqliteConnection, statements: Statements, nowNs: () => bigint) {
    this.#connection = connection
    this.#statements = statements
    this.#nowNs = nowNs
  }

  read<T>(backend: string, work: (view: DocumentView) => T): T {
    try {
      return work(new SqliteDocuments(this.#statements, backend))
    } catch (error) {
      const code = sqliteCode(error)
      throw code === undefined ? error : storageFailure(code)
    }
  }

  write<T>(actor: Actor, work: (tx: DocumentTransaction) => T): Promise<T> {
    return this.#queue.add(() => {
      const documents = new SqliteDocuments(this.#statements, actor.backend)
      return checkSynchronous(work(new Change(actor, this.#nowNs(), documents)))
    })
  }

  epoch(): string {
    // Changes of other processes show in the version of the data; our own do not.
    return `${this.#commits}.${String(this.#connection.pragma('data_version', { simple: true }))}`
  }

  async close(): Promise<void> {
    if (this.#queue.isClosed) return
    this.#queue.close()
    this.#connection.close()
  }

  #commit(group: readonly Waiting[]): void {
    try {
      inTransaction(this.#connection, () => {
        for (const waiting of group) this.#runAlone(waiting)
      })
    } catch (error) {
      const code = error instanceof GroupFailed ? error.code : sqliteCode(error)
      // One change too many for the disk must not take its neighbours with it.
      if (group.length > 1) for (const waiting of group) this.#commit([waiting])
      else group[0]?.reject(code === undefined ? error : storageFailure(code))
      return
    }
    this.#commits++
    for (const { settle } of group) settle()
  }

  /** Runs one piece of work in a savepoint of its own. What it throws of its own undoes it alone. */
  #runAlone({ run }: Waiting): void {
    this.#connection.exec('SAVEPOINT change')
    try {
      run()
    } catch (error) {
      const code = sqliteCode(error)
      if (code !== undefined) throw new GroupFailed(code)
      this.#connection.exec('ROLLBACK TO change')
    }
    this.#connection.exec('RELEASE change')
  }
}

export interface SqliteStoreOptions {
  /** The file grows no further; then changes fail as on a full disk. */
  readonly maxBytes?: number | undefined
}

function limitSize(connection: SqliteConnection, maxBytes: number | undefined): void {
  if (maxBytes === undefined) return
  const pageBytes = Number(connection.pragma('page_size', { simple: true }))
  connection.pragma(`max_page_count = ${Math.max(1, Math.floor(maxBytes / pageBytes))}`)
}

/**
 * Documents in one SQLite file: WAL, synchronous FULL, one commit for all changes of one turn of the event loop, a
 * checksum in every row. Throws SluiceError `sqlite/…`, `resources/damaged`, `resources/newer-version`,
 * `resources/not-ours`.
 */
export async function openSqliteDocumentStore(
  path: string,
  nowNs: () => bigint,
  options: SqliteStoreOptions = {},
): Promise<DocumentStore> {
  const connection = await openSqlite(path, { durability: 'full', cacheBytes: 8 * 1024 * 1024 })
  try {
    migrate(connection)
    limitSize(connection, options.maxBytes)
    const statements = prepareStatements(connection)
    checkAll(statements)
    return new SqliteDocumentStore(connection, statements, nowNs)
  } catch (error) {
    connection.close()
    if (error instanceof SluiceError) throw error
    throw refusal('damaged', 'damaged', { what: 'it cannot be read' })
  }
}
