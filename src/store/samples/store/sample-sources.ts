import { SluiceError } from '../../../base/index.ts'
import { NO_PARTS, type SeriesOwner } from '../sample-columns.ts'
import { countOf, type SampleChoice } from '../sample-choice.ts'
import type { SamplesPart, SamplesSource, StoredSamples } from '../samples-part.ts'
import { SourceNumbers } from '../source-numbers.ts'
import { isSystemFailure } from '../system-failure.ts'
import { FrozenSamples } from './frozen-samples.ts'
import { isGone, type SeriesList } from './series-list.ts'

/** A source that cannot be read. Queries whose range overlaps its times fail. */
export interface UnreadableSource {
  readonly name: string
  /** The times of the first and the last sample in milliseconds since 1970, both inclusive. */
  readonly firstMs: number
  readonly lastMs: number
  readonly error: unknown
  readonly stored?: StoredSamples | undefined
  /** Tries to open the source again after a system error; throws when it still cannot be read. */
  readonly open?: () => SamplesSource
}

/** The immutable samples of a store: frozen columns and files. */
export class SampleSources {
  readonly #owner: SeriesOwner
  readonly #series: SeriesList
  /** Sources in ascending order, each with the map from slots to its series. */
  #numbers: ReadonlyMap<SamplesSource, SourceNumbers> = new Map()
  #unreadable: readonly UnreadableSource[] = []
  #freezes = 0

  constructor(owner: SeriesOwner, series: SeriesList) {
    this.#owner = owner
    this.#series = series
  }

  /** Sources in ascending order. */
  get all(): readonly SamplesSource[] {
    return [...this.#numbers.keys()]
  }

  get unreadable(): readonly UnreadableSource[] {
    return this.#unreadable
  }

  /** The number of times that the columns were frozen. */
  get freezes(): number {
    return this.#freezes
  }

  /** Bytes of memory of the sources and of their maps from slots to series. */
  get bytes(): number {
    let total = 0
    for (const [source, { bytes }] of this.#numbers) total += source.bytes + bytes
    return total
  }

  /** Returns the parts of the series at a slot, in ascending order of their sources. */
  partsAt(slot: number): readonly SamplesPart[] {
    let parts: SamplesPart[] | undefined
    for (const [source, numbers] of this.#numbers) {
      const number = numbers.at(slot)
      const part = number === undefined ? undefined : source.part(number)
      if (part === undefined) continue
      if (parts === undefined) parts = [part]
      else parts.push(part)
    }
    return parts ?? NO_PARTS
  }

  /** Returns 1 for each slot whose series has a part. */
  haveParts(): Uint8Array {
    const have = new Uint8Array(this.#series.all.length)
    for (const numbers of this.#numbers.values()) for (const slot of numbers.slots()) have[slot] = 1
    return have
  }

  /** Freezes the samples of the columns into a new source; the columns are empty afterwards. */
  freeze(order: number): FrozenSamples {
    const frozen = new FrozenSamples(
      ++this.#freezes,
      order,
      this.#series.all.map((series) => series.freeze()),
    )
    this.#add(frozen)
    this.#owner.changes++
    return frozen
  }

  /** Empties the columns of a replica when their source was already replaced. */
  emptyColumns(): void {
    this.#freezes++
    for (const series of this.#series.all) if (!isGone(series)) series.empty()
  }

  /** Replaces sources by one source or by none; adds the new source's series that the store does not have. */
  replace(old: readonly SamplesSource[], by: SamplesSource | undefined): void {
    for (const source of old) this.#remove(source)
    if (by !== undefined) this.#add(by)
    this.#owner.changes++
  }

  /**
   * Deletes samples from frozen columns and replaces their source; returns the number of deleted samples. The growing
   * columns must be empty.
   */
  removeFromFrozen(source: FrozenSamples, { matchers, startMs, endMs }: SampleChoice): number {
    let count = 0
    const columns = source.columns.slice()
    for (const slot of this.#series.slots(matchers)) {
      const slice = columns[slot]?.slice(startMs, endMs)
      if (slice === undefined) continue
      count += countOf(slice)
      columns[slot] = columns[slot]?.without(startMs, endMs)
    }
    if (count > 0) this.replace([source], new FrozenSamples(++this.#freezes, source.order, columns))
    return count
  }

  addUnreadable(source: UnreadableSource): void {
    this.#unreadable = [...this.#unreadable, source]
    this.#owner.changes++
  }

  removeUnreadable(name: string): void {
    this.#unreadable = this.#unreadable.filter((each) => each.name !== name)
    this.#owner.changes++
  }

  /**
   * Throws SluiceError `durable/damaged` or `durable/read-failed` when a source that may have samples in `(startMs,
   * endMs]` cannot be read. After a system error it first tries to open the source again.
   */
  checkReadable(startMs: number, endMs: number): void {
    for (const source of this.#unreadable) {
      if (source.lastMs <= startMs || source.firstMs > endMs) continue
      const error = this.#reopened(source)
      if (error !== undefined) throw error
    }
  }

  /**
   * Tries to open again every source that had a system error. Throws SluiceError `durable/read-failed` when one still
   * cannot be read.
   */
  reopen(): void {
    for (const source of this.#unreadable) {
      const error = this.#reopened(source)
      if (isSystemFailure(error)) throw error
    }
  }

  /** Tries to open a source again. Returns `undefined` when it can be read now, otherwise the error. */
  #reopened(source: UnreadableSource): unknown {
    const { name, error, open } = source
    if (open === undefined || !isSystemFailure(error)) return error
    let found: SamplesSource
    try {
      found = open()
    } catch (again) {
      if (!(again instanceof SluiceError)) throw again
      this.#unreadable = this.#unreadable.map((each) => (each === source ? { ...each, error: again } : each))
      return again
    }
    this.removeUnreadable(name)
    this.replace([], found)
    return undefined
  }

  #add(source: SamplesSource): void {
    const slots = source.slots((labels) => {
      if (this.#series.slotOf(labels) === undefined) this.#series.add(labels)
      return this.#series.slotOf(labels) ?? -1
    })
    const numbers = new SourceNumbers(source, slots)
    const all = new Map(this.#numbers).set(source, numbers)
    this.#numbers = new Map([...all].sort(([a], [b]) => a.order - b.order))
    this.#partsChanged(numbers)
  }

  #remove(source: SamplesSource): void {
    const numbers = new Map(this.#numbers)
    const own = numbers.get(source)
    if (own === undefined) return
    numbers.delete(source)
    this.#numbers = numbers
    this.#partsChanged(own)
    source.drop?.()
  }

  #partsChanged(numbers: SourceNumbers): void {
    for (const slot of numbers.slots()) this.#series.all[slot]?.partsChanged()
  }
}
