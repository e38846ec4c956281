import { compareText } from '../data/index.ts'
import type { ListOptions, StoredDocument } from './document-store.ts'
import { unpackAudit, type AuditPack } from './log-records.ts'

/** The audit records of one backend: older ones packed, as a new log has them, newer ones as they are. */
export class AuditTrail {
  readonly #packs: AuditPack[] = []
  #recent: StoredDocument[] = []

  get packs(): readonly AuditPack[] {
    return this.#packs
  }

  /** Those in no pack. */
  get recent(): readonly StoredDocument[] {
    return this.#recent
  }

  /** Of the last one; 0 when there is none. Behind a repaired log there may be numbers that nothing has. */
  get lastNumber(): number {
    return Number(this.#recent.at(-1)?.id ?? this.#packs.at(-1)?.last ?? 0)
  }

  put(document: StoredDocument): void {
    this.#recent.push(document)
  }

  /** Takes back the one that was put last. */
  takeBack(): void {
    this.#recent.pop()
  }

  /** Packs come before all that is put; the first so many of the recent ones are in them. */
  pack(packs: readonly AuditPack[], count = 0): void {
    this.#packs.push(...packs)
    this.#recent = this.#recent.slice(count)
  }

  /** Drops the oldest packs beyond so many bytes; the newest one stays. */
  rotate(mostBytes: number): void {
    let bytes = 0
    const first = this.#packs.findLastIndex(({ packed }) => (bytes += packed.byteLength) > mostBytes)
    this.#packs.splice(0, Math.min(first + 1, this.#packs.length - 1))
  }

  /** In the order of their numbers. */
  list({ after, limit }: ListOptions): readonly StoredDocument[] {
    const isAfter = (id: string): boolean => after === undefined || compareText(id, after) > 0
    const packed = this.#packs.filter(({ last }) => isAfter(last)).flatMap(unpackAudit)
    const found = [...packed, ...this.#recent].filter(({ id }) => isAfter(id))
    return limit === undefined ? found : found.slice(0, limit)
  }
}
