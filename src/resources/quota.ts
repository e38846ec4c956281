import { printJsonExact } from '../data/index.ts'
import type { DocumentBody, ResourceKind } from './document-store.ts'
import { refusal } from './resource-error.ts'

/** Limit for the documents of one kind of a backend. */
export interface Quota {
  readonly documents: number
  /** Total size of the documents' bodies as JSON, bytes. */
  readonly bytes: number
}

/**
 * Default limit: all documents stay in memory, and a list of them stays below 64 MiB, the maximum size of an answer.
 */
export const defaultQuota: Quota = { documents: 50_000, bytes: 32 * 2 ** 20 }

/** Share of a quota for the documents that one key created, so that no key blocks the others. */
const KEY_SHARE = 0.75

/** False for deletion records: old ones are dropped when space is needed, so storing one never fails. */
export function hasQuota(kind: ResourceKind): boolean {
  return kind !== 'deletion'
}

/** Number of documents and bytes of their bodies. */
export class Usage {
  documents = 0
  bytes = 0

  add(documents: number, bytes: number): void {
    this.documents += documents
    this.bytes += bytes
  }
}

/** Usage of one kind of a backend, in total and by the key that created the documents. */
export class KindUsage {
  readonly all = new Usage()
  readonly #byKey = new Map<string, Usage>()

  ofKey(key: string): Usage {
    return this.#byKey.get(key) ?? new Usage()
  }

  add(key: string, documents: number, bytes: number): void {
    this.all.add(documents, bytes)
    const own = this.ofKey(key)
    own.add(documents, bytes)
    if (own.documents === 0) this.#byKey.delete(key)
    else this.#byKey.set(key, own)
  }
}

/** Returns the size of a body as JSON, bytes. */
export function bodyBytes(body: DocumentBody): number {
  return Buffer.byteLength(printJsonExact(body))
}

/** Increase of the usage by a change. `key` is the key that created the document. */
export interface Growth {
  readonly kind: ResourceKind
  readonly key: string
  readonly documents: number
  readonly bytes: number
}

/**
 * Throws ResourceError `resources/quota` if a change would exceed the quota. Changes that reduce usage are accepted.
 */
export function checkQuota(quota: Quota, usage: KindUsage, { kind, key, documents, bytes }: Growth): void {
  if (!hasQuota(kind)) return
  const check = (used: Usage, share: number, isOfKey: boolean): void => {
    const most = Math.floor(quota.documents * share)
    const mostBytes = Math.floor(quota.bytes * share)
    if (documents > 0 && used.documents + documents > most)
      throw refusal('no-space', 'quota', { kind, limit: `${most.toLocaleString('en-US')} documents`, isOfKey })
    if (bytes > 0 && used.bytes + bytes > mostBytes)
      throw refusal('no-space', 'quota', { kind, limit: `${mostBytes.toLocaleString('en-US')} bytes`, isOfKey })
  }
  check(usage.all, 1, false)
  check(usage.ofKey(key), KEY_SHARE, true)
}
