import { SluiceError } from '../../../base/index.ts'
import { NO_PARTS, type SeriesOwner } from '../sample-columns.ts'
import { countOf, type SampleChoice } from '../sample-choice.ts'
import type { SamplesPart, SamplesSource, StoredSamples } from '../samples-part.ts'
import { SourceNumbers } from '../source-numbers.ts'
import { isSystemFailure } from '../system-failure.ts'
import { FrozenSamples } from './frozen-samples.ts'
import { isGone, type SeriesList } from './series-list.ts'

/** A source that cannot be read: queries that touch its times are refused. */
export interface UnreadableSource {
  readonly name: string
  /** Unix milliseconds, both included. */
  readonly firstMs: number
  readonly lastMs: number
  readonly error: unknown
  readonly stored?: StoredSamples | undefined
  /** Opens it again, where the system could not read it; throws what keeps it from being read. */
  readonly open?: () => SamplesSource
}

/** What the series of a store have behind their columns: frozen columns and files, to which nothing is added any more. */
export class SampleSources {
  readonly #owner: SeriesOwner
  readonly #series: SeriesList
  /** By ascending order, each with which of its series stands at a place. */
  #numbers: ReadonlyMap<SamplesSource, SourceNumbers> = new Map()
  #unreadable: readonly UnreadableSource[] = []
  #freezes = 0

  constructor(owner: SeriesOwner, series: SeriesList) {
    this.#owner = owner
    this.#series = series
  }

  /** By ascending order. */
  get all(): readonly SamplesSource[] {
    return [...this.#numbers.keys()]
  }

  get unreadable(): readonly UnreadableSource[] {
    return this.#unreadable
  }

  /** How often the columns were frozen. */
  get freezes(): number {
    return this.#freezes
  }

  /** Memory of the sources, and of which series of them stands where. */
  get bytes(): number {
    let total = 0
    for (const [source, { bytes }] of this.#numbers) total += source.bytes + bytes
    return total
  }

  /** The parts of the series at a place, by ascending order of their sources. */
  partsAt(place: number): readonly SamplesPart[] {
    let parts: SamplesPart[] | undefined
    for (const [source, numbers] of this.#numbers) {
      const number = numbers.at(place)
      const part = number === undefined ? undefined : source.part(number)
      if (part === undefined) continue
      if (parts === undefined) parts = [part]
      else parts.push(part)
    }
    return parts ?? NO_PARTS
  }

  /** By place, 1 for a series that has a part. */
  haveParts(): Uint8Array {
    const have = new Uint8Array(this.#series.all.length)
    for (const numbers of this.#numbers.values()) for (const place of numbers.places()) have[place] = 1
    return have
  }

  /** Makes a source of the samples in the columns, which are empty then. */
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

  /** Empties the columns, for a replica that is not told what became of their samples. */
  emptyColumns(): void {
    this.#freezes++
    for (const series of this.#series.all) if (!isGone(series)) series.empty()
  }

  /** Puts one source, or none, in the place of others; adds the series of it that are new. */
  replace(old: readonly SamplesSource[], by: SamplesSource | undefined): void {
    for (const source of old) this.#remove(source)
    if (by !== undefined) this.#add(by)
    this.#owner.changes++
  }

  /**
   * Removes samples from frozen columns, while no other columns have any; gives how many there were. The remaining ones are another
   * source in its place.
   */
  removeFromFrozen(source: FrozenSamples, { matchers, startMs, endMs }: SampleChoice): number {
    let count = 0
    const columns = source.columns.slice()
    for (const place of this.#series.places(matchers)) {
      const slice = columns[place]?.slice(startMs, endMs)
      if (slice === undefined) continue
      count += countOf(slice)
      columns[place] = columns[place]?.without(startMs, endMs)
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
   * Throws SluiceError `durable/damaged` or `durable/read-failed` where a source that may have samples in `(startMs, endMs]` cannot
   * be read. What the system could not read is opened again first.
   */
  checkReadable(startMs: number, endMs: number): void {
    for (const source of this.#unreadable) {
      if (source.lastMs <= startMs || source.firstMs > endMs) continue
      const error = this.#reopened(source)
      if (error !== undefined) throw error
    }
  }

  /** Opens again all that the system could not read. Throws SluiceError `durable/read-failed` where it still cannot. */
  reopen(): void {
    for (const source of this.#unreadable) {
      const error = this.#reopened(source)
      if (isSystemFailure(error)) throw error
    }
  }

  /** `undefined` where a source can be read now, else why it cannot. */
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
    const places = source.places((labels) => {
      if (this.#series.placeOf(labels) === undefined) this.#series.add(labels)
      return this.#series.placeOf(labels) ?? -1
    })
    const numbers = new SourceNumbers(source, places)
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
    for (const place of numbers.places()) this.#series.all[place]?.partsChanged()
  }
}
