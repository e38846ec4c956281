import { printJsonExact } from '../data/index.ts'
import type { Body, ResourceKind } from './document-store.ts'
import { refusal } from './resource-error.ts'

/** What the documents of one kind of a backend may be together. */
export interface Quota {
  readonly documents: number
  /** Of their bodies as JSON. */
  readonly bytes: number
}

/** They stay in memory, and a list of all of them is below 64 MiB, the limit of one answer. */
export const defaultQuota: Quota = { documents: 50_000, bytes: 32 * 2 ** 20 }

/** The part of a quota that documents made by one key may take, so that no key keeps the others from making any. */
const KEY_SHARE = 0.75

/** A full store must not stop a deletion: the oldest records of deletions leave for others. */
export function hasQuota(kind: ResourceKind): boolean {
  return kind !== 'deletion'
}

/** How many documents there are, and the bytes of their bodies. */
export class Usage {
  documents = 0
  bytes = 0

  add(documents: number, bytes: number): void {
    this.documents += documents
    this.bytes += bytes
  }
}

/** What the documents of one kind of a backend take, all together and by the key that made them. */
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

/** Bytes of a body as JSON. */
export function bodyBytes(body: Body): number {
  return Buffer.byteLength(printJsonExact(body))
}

/** What a change adds to the documents of its kind; `key` made the document. */
export interface Growth {
  readonly kind: ResourceKind
  readonly key: string
  readonly documents: number
  readonly bytes: number
}

/** Throws ResourceError `resources/quota` where a change would add to more than there may be. Whatever makes it less goes on. */
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
