import { crc32 } from 'node:zlib'
import { parseJsonExact, printJsonExact } from '../data/index.ts'
import type { SqlValue, SqliteConnection, SqliteStatement } from '../store/sqlite/index.ts'
import type { RawDocuments } from './change.ts'
import type { Body, DocumentKind, ListOptions, StoredDocument } from './document-store.ts'
import { refusal } from './resource-error.ts'

const COLUMNS = 'id, name, revision, body, created_by, created_at, updated_by, updated_at, checksum'

type Record = readonly [string, string | null, bigint, string, string, bigint, string, bigint, bigint]

/** Covers every column, so that a moved or edited row is found too. Lengths keep the parts apart. */
function checksumOf(backend: string, kind: string, record: readonly (string | bigint | null)[]): bigint {
  const parts = [backend, kind, ...record].map((part) => {
    const text = part === null ? '-' : String(part)
    return `${part === null ? 'n' : text.length}:${text}`
  })
  return BigInt(crc32(parts.join('|')))
}

export interface Statements {
  readonly get: SqliteStatement
  readonly findByName: SqliteStatement
  readonly list: SqliteStatement
  readonly insert: SqliteStatement
  readonly replace: SqliteStatement
  readonly delete: SqliteStatement
  readonly lastAudit: SqliteStatement
  readonly all: SqliteStatement
}

export function prepareStatements(connection: SqliteConnection): Statements {
  const rows = (sql: string): SqliteStatement => connection.prepare(sql).safeIntegers(true).raw(true)
  return {
    get: rows(`SELECT ${COLUMNS} FROM documents WHERE backend = ? AND kind = ? AND id = ?`),
    findByName: rows(`SELECT ${COLUMNS} FROM documents WHERE backend = ? AND kind = ? AND name = ?`),
    list: rows(`SELECT ${COLUMNS} FROM documents WHERE backend = ? AND kind = ? AND id > ? ORDER BY id LIMIT ?`),
    insert: connection.prepare(
      `INSERT INTO documents (backend, kind, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    replace: connection.prepare(
      `REPLACE INTO documents (backend, kind, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    delete: connection.prepare('DELETE FROM documents WHERE backend = ? AND kind = ? AND id = ?'),
    lastAudit: connection.prepare("SELECT max(id) FROM documents WHERE backend = ? AND kind = 'audit'").pluck(),
    all: rows(`SELECT backend, kind, ${COLUMNS} FROM documents`),
  }
}

function decode(backend: string, kind: DocumentKind, record: Record): StoredDocument {
  const [id, name, revision, text, createdBy, createdAtNs, updatedBy, updatedAtNs, checksum] = record
  if (checksumOf(backend, kind, record.slice(0, -1)) !== checksum) {
    throw refusal('damaged', 'damaged', { what: `the checksum of a ${kind} does not match` })
  }
  return {
    kind,
    id,
    name: name ?? undefined,
    revision: Number(revision),
    body: parseJsonExact(text) as Body,
    createdBy,
    createdAtNs,
    updatedBy,
    updatedAtNs,
  }
}

/** Reads every row once. Throws ResourceError `resources/damaged` for the first whose checksum does not match. */
export function checkAll(statements: Statements): void {
  for (const row of statements.all.iterate() as IterableIterator<readonly [string, DocumentKind, ...Record]>) {
    const [backend, kind, ...record] = row
    decode(backend, kind, record)
  }
}

/** The documents of one backend in the database. */
export class SqliteDocuments implements RawDocuments {
  readonly #statements: Statements
  readonly #backend: string

  constructor(statements: Statements, backend: string) {
    this.#statements = statements
    this.#backend = backend
  }

  get(kind: DocumentKind, id: string): StoredDocument | undefined {
    return this.#decode(kind, this.#statements.get.get(this.#backend, kind, id))
  }

  findByName(kind: DocumentKind, name: string): StoredDocument | undefined {
    return this.#decode(kind, this.#statements.findByName.get(this.#backend, kind, name))
  }

  list(kind: DocumentKind, { after = '', limit = -1 }: ListOptions = {}): readonly StoredDocument[] {
    const rows = this.#statements.list.all(this.#backend, kind, after, BigInt(limit)) as readonly Record[]
    return rows.map((row) => decode(this.#backend, kind, row))
  }

  insert(document: StoredDocument): void {
    this.#statements.insert.run(...this.#encode(document))
  }

  replace(document: StoredDocument): void {
    this.#statements.replace.run(...this.#encode(document))
  }

  delete(kind: DocumentKind, id: string): void {
    this.#statements.delete.run(this.#backend, kind, id)
  }

  lastAuditId(): string | undefined {
    return (this.#statements.lastAudit.get(this.#backend) as string | null) ?? undefined
  }

  #decode(kind: DocumentKind, row: unknown): StoredDocument | undefined {
    return row === undefined ? undefined : decode(this.#backend, kind, row as Record)
  }

  #encode(document: StoredDocument): readonly SqlValue[] {
    const { kind, id, name, revision, body, createdBy, createdAtNs, updatedBy, updatedAtNs } = document
    const record = [
      id,
      name ?? null,
      BigInt(revision),
      printJsonExact(body),
      createdBy,
      createdAtNs,
      updatedBy,
      updatedAtNs,
    ] as const
    return [this.#backend, kind, ...record, checksumOf(this.#backend, kind, record)]
  }
}
