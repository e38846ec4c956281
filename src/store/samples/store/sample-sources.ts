import { SluiceError } from '../../../base/index.ts'
import { NO_PARTS, type SeriesOwner } from '../sample-columns.ts'
import { countOf, type SampleChoice } from '../sample-choice.ts'
import type { SamplesPart, SamplesSource, StoredSamples } from '../samples-part.ts'
import { SourceNumbers } from '../source-numbers.ts'
import { isSystemFailure } from '../system-failure.ts'
import { FrozenSamples } from './frozen-samples.ts'
import { isGone, type SeriesList } from './series-list.ts'

/** A source that cannot be read. Queries whose range overlaps its time span fail. */
export interface UnreadableSource {
  readonly name: string
  /** The time of the first sample, in milliseconds since 1970; `lastMs` is that of the last sample. */
  readonly firstMs: number
  readonly lastMs: number
  readonly error: unknown
  readonly stored?: StoredSamples | undefined
  /** Opens the source again; throws if it still cannot be read. Present if the failure was a system error. */
  readonly open?: () => SamplesSource
}

/** The immutable samples of a store: frozen columns and files. */
export class SampleSources {
  readonly #owner: SeriesOwner
  readonly #series: SeriesList
  /** Sources in ascending order, each with its map from slots to series. */
  #numbers: ReadonlyMap<SamplesSource, SourceNumbers> = new Map()
  #unreadable: readonly UnreadableSource[] = []
  #freezes = 0

  constructor(owner: SeriesOwner, series: SeriesList) {
    this.#owner = owner
    this.#series = series
  }

  /** The sources that can be read, in ascending order. */
  get all(): readonly SamplesSource[] {
    return [...this.#numbers.keys()]
  }

  get unreadable(): readonly UnreadableSource[] {
    return this.#unreadable
  }

  /** Number of times that the columns were frozen. */
  get freezes(): number {
    return this.#freezes
  }

  /** Memory of the sources and of their maps from slots to series, bytes. */
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

  /** Returns an array that has, for each slot, 1 if the series has a part, else 0. */
  haveParts(): Uint8Array {
    const have = new Uint8Array(this.#series.all.length)
    for (const numbers of this.#numbers.values()) for (const slot of numbers.slots()) have[slot] = 1
    return have
  }

  /** Moves the samples of all columns to a new source with this order. The columns are empty afterwards. */
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

  /** Empties the columns of a replica. Called after a freeze whose source was already replaced. */
  emptyColumns(): void {
    this.#freezes++
    for (const series of this.#series.all) if (!isGone(series)) series.empty()
  }

  /** Replaces sources by one or by none. Series of the new source that are new to the store are added. */
  replace(old: readonly SamplesSource[], by: SamplesSource | undefined): void {
    for (const source of old) this.#remove(source)
    if (by !== undefined) this.#add(by)
    this.#owner.changes++
  }

  /**
   * Replaces a source of frozen columns by one without the chosen samples; returns the number of removed samples. The
   * growing columns must be empty.
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
   * Throws SluiceError `durable/damaged` or `durable/read-failed` if a source that may have samples in
   * `(startMs, endMs]` cannot be read. Sources that had a system error are first opened again.
   */
  checkReadable(startMs: number, endMs: number): void {
    for (const source of this.#unreadable) {
      if (source.lastMs <= startMs || source.firstMs > endMs) continue
      const error = this.#reopened(source)
      if (error !== undefined) throw error
    }
  }

  /**
   * Opens every source again that had a system error. Throws SluiceError `durable/read-failed` if one still cannot be
   * read.
   */
  reopen(): void {
    for (const source of this.#unreadable) {
      const error = this.#reopened(source)
      if (isSystemFailure(error)) throw error
    }
  }

  /** Opens a source again. Returns `undefined` if it can be read now, else the error. */
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
