import zlib from 'node:zlib'
import { SluiceError, nowhere, type Diagnostic } from '../../base/index.ts'
import { inTransaction, openSqlite, type SqliteConnection } from '../sqlite/connection.ts'
import { durableDiagnostic } from './diagnostics.ts'

/** One acknowledged batch as it arrived: decoding it again gives the same rows. */
export interface Batch {
  /** The backend it belongs to (`X-Backend-Id`). */
  readonly backend: string
  /** The table of the catalog. */
  readonly table: string
  /** How the payload is written: `ndjson`, `otlp-protobuf`, `otlp-json` … */
  readonly format: string
  /** "Now" at arrival: what records without a time get. */
  readonly receivedNs: bigint
  readonly payload: Uint8Array
}

/** What keeps acknowledged batches. Sealed column segments will stand behind the same interface. */
export interface DurableStore {
  /** Resolves once the batch survives `kill -9` and power loss; rejects when nothing of it was stored. */
  append(batch: Batch): Promise<void>
  /** All batches in the order they were acknowledged. Throws SluiceError `durable/damaged`. */
  replay(): Iterable<Batch>
  /** Waits for batches under way. */
  close(): Promise<void>
}

/** Node has these from 22.15 on; before, batches are stored as they came. */
const { zstdCompressSync, zstdDecompressSync } = zlib as Partial<typeof zlib>

const VERSION = 1
const COMPRESS_FROM_BYTES = 1024
/** How long a process that is just ending may still hold the file. */
const BUSY_MS = 2_000

/** Each step lifts the file by one version. */
const migrations: readonly string[] = [
  `CREATE TABLE batches (
    id INTEGER PRIMARY KEY,
    backend TEXT NOT NULL,
    kind TEXT NOT NULL,
    format TEXT NOT NULL,
    received_ns INTEGER NOT NULL,
    packing TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    payload BLOB NOT NULL
  ) STRICT`,
]

interface Waiting {
  readonly batch: Batch
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

function unpacked(stored: Uint8Array): Uint8Array {
  if (zstdDecompressSync !== undefined) return zstdDecompressSync(stored)
  const reason = 'its batches are packed with zstd, which Node reads from 22.15 on'
  throw new SluiceError([durableDiagnostic('unreadable', { reason }, nowhere)])
}

function failure(error: unknown): Diagnostic {
  const code = codeOf(error)
  if (code === 'SQLITE_FULL') return durableDiagnostic('disk-full', {}, nowhere)
  return durableDiagnostic('write-failed', { reason: code === '' ? 'unknown' : code }, nowhere)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Says what it means that the file cannot be opened or read. */
function openFailure(error: unknown): unknown {
  const code = codeOf(error)
  const isLocked = error instanceof SluiceError && /locked|busy/.test(JSON.stringify(error.diagnostics[0]?.data ?? ''))
  if (isLocked || code.startsWith('SQLITE_BUSY')) return new SluiceError([durableDiagnostic('in-use', {}, nowhere)])
  if (code === 'SQLITE_FULL') return new SluiceError([durableDiagnostic('disk-full', {}, nowhere)])
  if (code.startsWith('SQLITE_')) return new SluiceError([durableDiagnostic('unreadable', { reason: code }, nowhere)])
  return error
}

function migrate(connection: SqliteConnection): void {
  const found = Number(connection.pragma('user_version', { simple: true }))
  if (found > VERSION) throw new SluiceError([durableDiagnostic('newer-version', { found, known: VERSION }, nowhere)])
  for (const [version, migration] of migrations.entries()) {
    if (version < found) continue
    inTransaction(connection, () => {
      connection.exec(migration)
      connection.pragma(`user_version = ${version + 1}`)
    })
  }
}

/** Covers everything a replay depends on, so that a moved or edited row is found too. */
function checksumOf(batch: Batch, stored: Uint8Array): number {
  return zlib.crc32(stored, zlib.crc32(`${batch.backend}\0${batch.table}\0${batch.format}\0${batch.receivedNs}`))
}

class SqliteBatchLog implements DurableStore {
  readonly #connection: SqliteConnection
  readonly #insert
  #waiting: Waiting[] = []
  #isScheduled = false
  #isClosed = false

  constructor(connection: SqliteConnection) {
    this.#connection = connection
    this.#insert = connection.prepare(
      'INSERT INTO batches (backend, kind, format, received_ns, packing, checksum, payload) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
  }

  append(batch: Batch): Promise<void> {
    if (this.#isClosed) return Promise.reject(new SluiceError([durableDiagnostic('closed', {}, nowhere)]))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject })
      if (this.#isScheduled) return
      this.#isScheduled = true
      // One turn of the event loop gathers what arrives together: one sync for all of it.
      setImmediate(() => this.#commit())
    })
  }

  #commit(): void {
    this.#isScheduled = false
    const group = this.#waiting
    this.#waiting = []
    try {
      inTransaction(this.#connection, () => {
        for (const { batch } of group) this.#write(batch)
      })
    } catch (error) {
      const refusal = new SluiceError([failure(error)])
      for (const { reject } of group) reject(refusal)
      return
    }
    for (const { resolve } of group) resolve()
  }

  #write(batch: Batch): void {
    const compress = batch.payload.length >= COMPRESS_FROM_BYTES ? zstdCompressSync : undefined
    const stored =
      compress?.(batch.payload, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } }) ?? batch.payload
    const packing = compress === undefined ? 'none' : 'zstd'
    const { backend, table, format, receivedNs } = batch
    this.#insert.run(backend, table, format, receivedNs, packing, BigInt(checksumOf(batch, stored)), stored)
  }

  *replay(): Generator<Batch> {
    const rows = this.#connection
      .prepare('SELECT id, backend, kind, format, received_ns, packing, checksum, payload FROM batches ORDER BY id')
      .safeIntegers(true)
      .raw(true)
      .iterate() as IterableIterator<[bigint, string, string, string, bigint, string, bigint, Uint8Array]>
    let expected = 0n
    try {
      for (const [id, backend, table, format, receivedNs, packing, checksum, stored] of rows) {
        const head = { backend, table, format, receivedNs, payload: stored }
        // Nothing is ever deleted: a gap is a batch that went missing.
        if (id !== ++expected || BigInt(checksumOf(head, stored)) !== checksum) {
          throw new SluiceError([durableDiagnostic('damaged', { id: Number(expected) }, nowhere)])
        }
        yield packing === 'zstd' ? { ...head, payload: unpacked(stored) } : head
      }
    } catch (error) {
      throw openFailure(error)
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#waiting.length > 0) this.#commit()
    this.#connection.close()
  }
}

/**
 * The batch log in one SQLite file: one row per acknowledged batch with a checksum, group commit, synchronous FULL.
 * One process at a time.
 * Throws SluiceError `sqlite/…` or `durable/…` (`newer-version`, `in-use`, `unreadable`).
 */
export async function openBatchLog(path: string): Promise<DurableStore> {
  const connection = await openSqlite(path, { durability: 'full', busyTimeoutMs: BUSY_MS, isExclusive: true }).catch(
    (error: unknown) => {
      throw openFailure(error)
    },
  )
  try {
    // Takes the lock that only the end of the process or `close` gives back.
    inTransaction(connection, () => connection.pragma('user_version', { simple: true }))
    migrate(connection)
    return new SqliteBatchLog(connection)
  } catch (error) {
    connection.close()
    throw openFailure(error)
  }
}
