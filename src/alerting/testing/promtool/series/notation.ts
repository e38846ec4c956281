import { defineDiagnostics, present, span, type Diagnostic } from '../../../../base/index.ts'
import { Labels, METRIC_NAME, type Histogram, type LabelPair, type ResetHint } from '../../../../data/index.ts'
import { promqlDiagnostic, quoteText, readDuration, readNumber, scanString } from '../../../../lang/promql/index.ts'
import { makeHistogram, repeatHistogram } from './histogram-notation.ts'
import { HISTOGRAM_KEYS, readItems, type HistogramKey, type NotationItem } from './items.ts'

export const notationDiagnostic = defineDiagnostics('series-notation', {
  'bad-series': ({ message }: { message: string }) => ({ message }),
})

/** The sample of a series at one step. */
export type SeriesPoint =
  | { readonly kind: 'omitted' }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'stale' }
  /** `hasHint` is true if the notation contains a counter-reset hint. Only then is the hint compared. */
  | { readonly kind: 'histogram'; readonly histogram: Histogram; readonly hasHint: boolean }

/** A series with its samples, one for each step. */
export interface SeriesDescription {
  readonly labels: Labels
  readonly points: readonly SeriesPoint[]
}

export interface SeriesParse {
  /** The parsed series; `undefined` if and only if a diagnostic is an error. */
  readonly series: SeriesDescription | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Maximum number of samples in a line: a repetition makes a short line produce a long series. */
export const MAX_SERIES_POINTS = 1_000_000

const OMITTED: SeriesPoint = { kind: 'omitted' }
const IN_VALUES = 'series values'
/** Prometheus's token number of the first histogram key; its error messages contain such numbers. */
const FIRST_KEY_NUMBER = 57370

class SeriesFault extends Error {
  readonly diagnostic: Diagnostic

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message)
    this.diagnostic = diagnostic
  }
}

function describeItem(item: NotationItem): string {
  switch (item.kind) {
    case 'name':
      return `${item.text.includes(':') ? 'metric ' : ''}identifier ${quoteText(item.text)}`
    case 'string':
    case 'number':
    case 'duration':
      return `${item.kind} ${quoteText(item.text)}`
    case 'key':
      return `"<Item ${FIRST_KEY_NUMBER + HISTOGRAM_KEYS.indexOf(item.text as HistogramKey)}>" ${quoteText(item.text)}`
    case 'end':
      return 'end of input'
    default:
      return item.text === '-' || item.text === '+' ? `<op:${item.text}>` : quoteText(item.text)
  }
}

interface HistogramValue {
  readonly histogram: Histogram
  readonly hasHint: boolean
}

class SeriesReader {
  readonly #text: string
  readonly #items: readonly NotationItem[]
  readonly #points: SeriesPoint[] = []
  #at = 0

  constructor(text: string, mark = '') {
    this.#text = text
    this.#items = readItems(text, mark)
  }

  run(): SeriesDescription {
    const labels = this.#labels()
    while (this.#isKind('space')) {
      this.#at++
      if (!this.#isKind('space') && !this.#isKind('end')) this.#item()
    }
    if (!this.#isKind('end')) this.#unexpected('', '')
    return { labels, points: this.#points }
  }

  get #now(): NotationItem {
    return present(this.#items[this.#at] ?? this.#items.at(-1))
  }

  #isKind(kind: NotationItem['kind']): boolean {
    return this.#now.kind === kind
  }

  #is(text: string): boolean {
    return this.#now.kind === 'punctuation' && this.#now.text === text
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false
    this.#at++
    return true
  }

  #next(): NotationItem {
    return present(this.#items[this.#at++])
  }

  #raise(message: string, start: number, end: number): never {
    throw new SeriesFault(notationDiagnostic('bad-series', { message }, span(start, end)))
  }

  #unexpected(context: string, expected: string): never {
    const item = this.#now
    if (item.kind === 'fault') this.#raise(item.text, item.start, this.#text.length)
    const data = { found: describeItem(item), context, expected }
    throw new SeriesFault(promqlDiagnostic('unexpected', data, span(item.start, item.start + item.text.length)))
  }

  #labels(): Labels {
    const pairs: LabelPair[] = []
    const name = this.#isKind('name') ? this.#next().text : undefined
    if (this.#take('{')) this.#labelPairs(pairs)
    if (name !== undefined) pairs.push([METRIC_NAME, name])
    return Labels.from(pairs)
  }

  #labelPairs(pairs: LabelPair[]): void {
    const context = 'label set'
    while (!this.#take('}')) {
      if (!this.#isKind('name') && !this.#isKind('string')) this.#unexpected(context, 'identifier or "}"')
      const first = this.#next()
      const label = first.kind === 'string' ? scanString(first.text, 0).value : first.text
      if (this.#take('=')) {
        if (!this.#isKind('string')) this.#unexpected(context, 'string')
        pairs.push([label, scanString(this.#next().text, 0).value])
      } else if (first.kind === 'string') pairs.push([METRIC_NAME, label])
      else this.#unexpected(context, '"="')
      if (!this.#take(',') && !this.#is('}')) this.#unexpected(context, '"," or "}"')
    }
  }

  #item(): void {
    if (this.#take('_')) {
      this.#repeat(this.#take('x') ? this.#count() : 1, () => OMITTED)
    } else if (this.#is('{{')) this.#histogramItem()
    else if (this.#isKind('name')) this.#stale()
    else this.#numberItem()
  }

  /** Adds `count` points. */
  #repeat(count: number, make: (i: number) => SeriesPoint): void {
    if (this.#points.length + count > MAX_SERIES_POINTS) {
      const end = this.#now.start
      this.#raise(`a series has at most ${MAX_SERIES_POINTS} points`, end, end)
    }
    for (let i = 0; i < count; i++) this.#points.push(make(i))
  }

  #count(): number {
    if (!this.#isKind('number')) this.#unexpected(IN_VALUES, '')
    const item = this.#next()
    if (!/^\d+$/.test(item.text) || BigInt(item.text) > 18446744073709551615n) {
      const why = /^\d+$/.test(item.text) ? 'value out of range' : 'invalid syntax'
      const message = `invalid repetition in series values: strconv.ParseUint: parsing ${quoteText(item.text)}: ${why}`
      this.#raise(message, item.start, item.start + item.text.length)
    }
    return Number(item.text)
  }

  #stale(): void {
    if (this.#now.text !== 'stale') this.#unexpected(IN_VALUES, 'number or "stale"')
    this.#at++
    this.#repeat(this.#take('x') ? this.#count() + 1 : 1, () => ({ kind: 'stale' }))
  }

  #sign(): 1 | -1 | undefined {
    if (this.#take('+')) return 1
    return this.#take('-') ? -1 : undefined
  }

  #number(): number {
    const item = this.#now
    if (item.kind !== 'number' && item.kind !== 'duration') this.#unexpected(IN_VALUES, '')
    this.#at++
    const result = item.kind === 'duration' ? readDuration(item.text) : readNumber(item.text)
    if ('error' in result) this.#raise(result.error, item.start, item.start + item.text.length)
    return result.value
  }

  #numberItem(): void {
    const sign = this.#sign()
    if (sign === undefined && !this.#isKind('number') && !this.#isKind('duration')) this.#unexpected('', '')
    let value = (sign ?? 1) * this.#number()
    const stepSign = this.#sign()
    const step = stepSign === undefined ? 0 : stepSign * this.#number()
    if (stepSign !== undefined && !this.#is('x')) this.#unexpected(IN_VALUES, '')
    const count = this.#take('x') ? this.#count() + 1 : 1
    this.#repeat(count, (i) => {
      if (i > 0 && stepSign !== undefined) value += step
      return { kind: 'float', value }
    })
  }

  #histogramItem(): void {
    const first = this.#histogram()
    const sign = this.#sign()
    if (sign === undefined) {
      this.#repeat(this.#take('x') ? this.#count() + 1 : 1, () => ({ kind: 'histogram', ...first }))
      return
    }
    const step = this.#histogram()
    if (!this.#take('x')) this.#unexpected(IN_VALUES, '')
    const count = this.#count()
    if (count >= MAX_SERIES_POINTS) this.#repeat(count, () => OMITTED)
    const item = present(this.#items[this.#at - 1])
    const series = repeatHistogram(first.histogram, step.histogram, sign, count)
    if ('error' in series) this.#raise(series.error, item.start, item.start + item.text.length)
    this.#repeat(count + 1, (i) => ({
      kind: 'histogram',
      histogram: present(series.histograms[i]),
      hasHint: step.hasHint,
    }))
  }

  #histogram(): HistogramValue {
    if (!this.#take('{{')) this.#unexpected(IN_VALUES, '')
    const fields = new Map<HistogramKey, number | readonly number[] | ResetHint>()
    if (this.#isKind('space')) {
      this.#at++
      if (!this.#is('}}')) this.#unexpected(IN_VALUES, '')
    }
    while (!this.#take('}}')) {
      if (!this.#isKind('key')) {
        if (fields.size === 0) this.#unexpected(IN_VALUES, '')
        this.#unexpected('histogram description', 'histogram description key, e.g. buckets:[5 10 7]')
      }
      this.#field(fields)
      if (this.#isKind('space')) this.#at++
      else if (!this.#is('}}')) {
        this.#unexpected('histogram description', 'histogram description key, e.g. buckets:[5 10 7]')
      }
    }
    return { histogram: makeHistogram(fields), hasHint: fields.has('counter_reset_hint') }
  }

  #field(fields: Map<HistogramKey, number | readonly number[] | ResetHint>): void {
    const key = this.#next().text.toLowerCase() as HistogramKey
    this.#at++ // the colon
    if (fields.has(key)) this.#raise(`duplicate key "${key}" in histogram`, 0, 0)
    fields.set(key, this.#fieldValue(key))
  }

  #fieldValue(key: HistogramKey): number | readonly number[] | ResetHint {
    switch (key) {
      case 'buckets':
      case 'n_buckets':
      case 'custom_values':
        return this.#list()
      case 'counter_reset_hint':
        if (!this.#isKind('hint')) this.#unexpected(IN_VALUES, '')
        return this.#next().text.toLowerCase().replace('_', '-') as ResetHint
      case 'schema':
      case 'offset':
      case 'n_offset': {
        const sign = this.#take('-') ? -1 : 1
        return sign * this.#count()
      }
      default: {
        const sign = this.#sign() ?? 1
        return sign * this.#number()
      }
    }
  }

  #list(): readonly number[] {
    if (!this.#take('[')) this.#unexpected(IN_VALUES, '')
    const values: number[] = []
    do {
      const sign = this.#sign() ?? 1
      values.push(sign * this.#number())
      if (this.#take(']')) return values
      if (!this.#isKind('space')) this.#unexpected(IN_VALUES, '')
      this.#at++
    } while (!this.#take(']'))
    return values
  }
}

function parseWithMark(text: string, mark: string): SeriesParse {
  try {
    return { series: new SeriesReader(text, mark).run(), diagnostics: [] }
  } catch (error) {
    if (!(error instanceof SeriesFault)) throw error
    return { series: undefined, diagnostics: [error.diagnostic] }
  }
}

/** Parses a line of series notation: labels and points. Never throws. */
export function parseSeriesNotation(text: string): SeriesParse {
  return parseWithMark(text, '')
}

const START_MARK = '@st'

/** True if a line has start times instead of samples: `@st` follows its labels. */
export function hasStartMark(text: string): boolean {
  return /@st(\s|$)/.test(text) && parseSeriesNotation(text).series === undefined
}

/** Parses a line of start times. Each point is an offset in seconds from its sample's time. Never throws. */
export function parseStartTimes(text: string): SeriesParse {
  return parseWithMark(text, START_MARK)
}
