import { compareText } from '../data/index.ts'
import type { ListOptions, StoredDocument } from './document-store.ts'
import { unpackAudit, type AuditPack } from './log-records.ts'

/** Audit records of one backend. The older ones are in compressed packs, as compaction writes them. */
export class AuditTrail {
  readonly #packs: AuditPack[] = []
  #recent: StoredDocument[] = []

  get packs(): readonly AuditPack[] {
    return this.#packs
  }

  /** Returns the records that are not in a pack yet. */
  get recent(): readonly StoredDocument[] {
    return this.#recent
  }

  /** Returns the number of the last record; 0 if there is none. After a repair, numbers may be missing. */
  get lastNumber(): number {
    return Number(this.#recent.at(-1)?.id ?? this.#packs.at(-1)?.last ?? 0)
  }

  put(document: StoredDocument): void {
    this.#recent.push(document)
  }

  /** Removes the newest record. */
  takeBack(): void {
    this.#recent.pop()
  }

  /** Appends packs. The first `count` records of `recent` are in these packs and are removed from `recent`. */
  pack(packs: readonly AuditPack[], count = 0): void {
    this.#packs.push(...packs)
    this.#recent = this.#recent.slice(count)
  }

  /** Drops the oldest packs until all take at most `mostBytes`; never drops the newest one. */
  rotate(mostBytes: number): void {
    let bytes = 0
    const first = this.#packs.findLastIndex(({ packed }) => (bytes += packed.byteLength) > mostBytes)
    this.#packs.splice(0, Math.min(first + 1, this.#packs.length - 1))
  }

  /** Returns the records in the order of their numbers. */
  list({ after, limit }: ListOptions): readonly StoredDocument[] {
    const isAfter = (id: string): boolean => after === undefined || compareText(id, after) > 0
    const packed = this.#packs.filter(({ last }) => isAfter(last)).flatMap(unpackAudit)
    const found = [...packed, ...this.#recent].filter(({ id }) => isAfter(id))
    return limit === undefined ? found : found.slice(0, limit)
  }
}
