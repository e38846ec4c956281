import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { present } from '../base/index.ts'
import { parseJsonPlain, printJsonExact, type PlainJson } from '../data/index.ts'
import type { DocumentKind, StoredDocument } from './document-store.ts'

/**
 * Log records. A record is the changes of one transaction, as a JSON list. A log written by compaction also has packs
 * of audit records: a JSON object that names the backend and ids, a line feed, and the deflated changes that created
 * the records.
 */

/** A document after a change; `undefined` if the change removed it. */
export interface DocumentState {
  readonly backend: string
  readonly kind: DocumentKind
  readonly id: string
  readonly document: StoredDocument | undefined
}

/** Consecutive audit records of one backend, compressed. */
export interface AuditPack {
  readonly backend: string
  /** Id of the first record; `last` is the id of the last record. */
  readonly first: string
  readonly last: string
  readonly packed: Uint8Array
}

/** Freezes a value and everything inside it. */
export function frozen<T extends PlainJson>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}

/** Encodes the changes of one transaction as a log record. */
export function encodeChanges(changes: readonly DocumentState[]): Uint8Array {
  const plain = changes.map(({ document, ...key }): PlainJson => {
    if (document === undefined) return { ...key }
    const { name, createdAtNs, updatedAtNs, ...rest } = document
    return {
      ...key,
      document: {
        ...rest,
        ...(name === undefined ? {} : { name }),
        createdAtNs: String(createdAtNs),
        updatedAtNs: String(updatedAtNs),
      },
    }
  })
  return Buffer.from(printJsonExact(plain))
}

/** Decodes changes. The checksum has been verified; throws if the bytes are not a valid record. */
export function decodeChanges(body: Uint8Array): readonly DocumentState[] {
  const plain = parseJsonPlain(Buffer.from(body).toString()) as unknown as readonly (Omit<DocumentState, 'document'> & {
    readonly document?: Omit<StoredDocument, 'createdAtNs' | 'updatedAtNs'> & {
      readonly createdAtNs: string
      readonly updatedAtNs: string
    }
  })[]
  return plain.map(({ document, ...key }) => ({
    ...key,
    document:
      document === undefined
        ? undefined
        : {
            ...document,
            name: document.name,
            body: frozen(document.body),
            createdAtNs: BigInt(document.createdAtNs),
            updatedAtNs: BigInt(document.updatedAtNs),
          },
  }))
}

/** Compresses audit records; requires at least one. */
export function packAudit(backend: string, records: readonly StoredDocument[]): AuditPack {
  const changes = records.map((document): DocumentState => ({ backend, kind: 'audit', id: document.id, document }))
  const { id: first } = present(records[0])
  return { backend, first, last: present(records.at(-1)).id, packed: deflateRawSync(encodeChanges(changes)) }
}

export function unpackAudit({ packed }: AuditPack): readonly StoredDocument[] {
  return decodeChanges(inflateRawSync(packed)).flatMap(({ document }) => document ?? [])
}

/** Encodes a pack as the chunks of a log record. */
export function encodePack({ packed, ...label }: AuditPack): readonly Uint8Array[] {
  return [Buffer.from(`${JSON.stringify(label)}\n`), packed]
}

const BRACE = '{'.charCodeAt(0)

/** Decodes a record: a pack, or changes. The checksum has been verified; throws if the bytes are not a valid record. */
export function decodeRecord(body: Buffer): AuditPack | readonly DocumentState[] {
  if (body[0] !== BRACE) return decodeChanges(body)
  const end = body.indexOf('\n')
  const label = JSON.parse(body.toString('utf8', 0, end)) as Omit<AuditPack, 'packed'>
  return { ...label, packed: body.subarray(end + 1) }
}
