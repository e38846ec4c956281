import { invariant } from '../base/index.ts'
import type { Actor, DocumentStore } from './document-store.ts'

/** A deletion of rows: filters over a table, and times as RFC 3339 strings. */
export interface DeletedRows {
  readonly table: string
  readonly where: string
  readonly start: string
  readonly end: string
  /** The time range of the deleted rows in readable form. */
  readonly times: string
}

const MAX_NAME = 500

/** Records the start of a deletion. Resolves when the record survives a crash. */
export async function beginDeletion(store: DocumentStore, actor: Actor, id: string, rows: DeletedRows): Promise<void> {
  const { times, ...body } = rows
  const { table, where } = body
  // The names of documents must be unique, so the name ends with the id.
  const name = `${table} where ${where.slice(0, MAX_NAME)}, ${times}, ${id}`
  await store.write(actor, (tx) => void tx.put('deletion', id, body, name))
}

/** Records that all rows of a deletion are gone. */
export async function endDeletion(store: DocumentStore, actor: Actor, id: string, rows: number): Promise<void> {
  await store.write(actor, (tx) => {
    const begun = tx.get('deletion', id)
    invariant(begun !== undefined, 'a deletion that was begun')
    tx.put('deletion', id, { ...begun.body, rows }, `${rows} rows of ${begun.name ?? id}`)
  })
}
