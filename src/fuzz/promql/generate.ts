import { present, type Random } from '../../base/index.ts'
import { aggregationSignatures, seriesSignatures, type SeriesSignature, type SeriesType } from '../../plan/index.ts'
import {
  DATA_MS,
  bucketNames,
  counterNames,
  gaugeNames,
  histogramNames,
  infoNames,
  labelNames,
  labelValues,
} from './dataset.ts'

/** A PromQL text and its evaluation times. The step is never 0: instant queries are a separate law. */
export interface PromqlCase {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
  /** The forms in the query, for the histogram. */
  readonly uses: ReadonlySet<string>
}

const everyName = [...counterNames, ...gaugeNames, ...histogramNames, ...bucketNames, ...infoNames]
const scalarTexts = ['0', '1', '2', '0.5', '-1', '1e3', '0x1F', '1_000', 'Inf', '-Inf', 'NaN', '5m', '1m30s', '.25']
const patterns = ['z.', 'z0|z1', '.+', '.*', 'i[01]', '', '(?i)API', 'none', '[^i].*']
const infoPatterns = [
  '',
  ', {build=~"b.+"}',
  ', {build=~"b0"}',
  ', {build=~".*"}',
  ', {__name__="target_info", zone=~"z0"}',
]
const ranges = ['30s', '1m', '95s', '2m', '4m', '1m30s', '(30s + 45s)']
const steps = ['15s', '20s', '37s', '']
const offsets = ['30s', '-45s', '2m', '0s']
const times = ['0', '120', '300.5', '-60', '900']
const arithmetic = ['+', '-', '*', '/', '%', '^', 'atan2']
const comparisons = ['==', '!=', '>', '<', '>=', '<=']
const sets = ['and', 'or', 'unless']

const valuesOf: Readonly<Record<(typeof labelNames)[number], readonly string[]>> = {
  zone: ['z0', 'z1'],
  instance: ['i0', 'i1', 'i2'],
  job: ['api', ''],
  le: ['1', '2', '5', ''],
  'ver.sion': ['0', '1', ''],
}

const vectorFunctions = [...seriesSignatures.values()].filter(({ returns }) => returns === 'vector')

/** Functions that accept the modifier `anchored`, which extends the window to the last sample before the window. */
const anchorable = new Set(['resets', 'changes', 'rate', 'increase', 'delta'])
const smoothable = new Set(['rate', 'increase', 'delta'])

/** Writes one expression from its parts. */
class Writer {
  readonly uses = new Set<string>()
  readonly #random: Random
  /** True to leave out functions whose value depends on the range and step of the query. */
  readonly #isTimeFree: boolean
  /** Functions and aggregations that still have to be nested in each other, the outermost last. */
  readonly #wanted: string[]

  constructor(random: Random, wanted: readonly string[] = []) {
    this.#random = random
    this.#wanted = [...wanted]
    this.#isTimeFree = random.next() < 0.8
  }

  #chance(share: number): boolean {
    return this.#random.next() < share
  }

  #pick<T>(items: readonly T[]): T {
    return this.#random.pick(items)
  }

  #use(name: string): string {
    this.uses.add(name)
    return name
  }

  #quoted(text: string): string {
    const quote = this.#pick(['"', '"', "'", '`'])
    return `${quote}${text}${quote}`
  }

  #label(): string {
    const name = this.#pick(labelNames)
    return /^[a-z_]+$/.test(name) && !this.#chance(0.1) ? name : `"${name}"`
  }

  #labels(max: number): string {
    return Array.from({ length: this.#random.below(max + 1) }, () => this.#label()).join(', ')
  }

  #matcher(): string {
    const op = this.#pick(['=', '=', '!=', '=~', '!~'])
    const isPattern = op.includes('~')
    this.#use(`matcher ${op}`)
    const name = this.#pick(labelNames)
    const label = /^[a-z_]+$/.test(name) && !this.#chance(0.1) ? name : `"${name}"`
    // In most cases, draws a value that occurs for the label.
    const known = this.#chance(0.75) ? valuesOf[name] : isPattern ? patterns : labelValues
    return `${label}${op}${this.#quoted(this.#pick(known))}`
  }

  #missing(): string {
    const first = this.#pick(['zone="none"', 'zone=~"none"', 'job=~"no.*"', 'le!~".*"'])
    return this.#chance(0.6) ? `${first}, ${this.#matcher()}` : first
  }

  #name(hint?: string): string {
    if (hint !== undefined && /histogram_(quantile|fraction)/.test(hint) && this.#chance(0.5)) return 'latency_bucket'
    if (hint !== undefined && hint.startsWith('histogram') && this.#chance(0.8)) return this.#pick(histogramNames)
    if (hint !== undefined && /rate|increase|resets/.test(hint) && this.#chance(0.5)) return this.#pick(counterNames)
    return this.#pick(everyName)
  }

  /** Writes a selector without `offset` and `@`. */
  #bare(hint?: string): string {
    const name = this.#name(hint)
    const matchers = Array.from({ length: this.#chance(0.65) ? 0 : 1 + this.#random.below(2) }, () => this.#matcher())
    const style = this.#random.below(12)
    if (style === 0) return `{${[`"${name}"`, ...matchers].join(', ')}}`
    if (style === 1) return `{${[...matchers, `__name__=~"${name}|level"`].join(', ')}}`
    return matchers.length === 0 ? name : `${name}{${matchers.join(',')}${this.#chance(0.1) ? ',' : ''}}`
  }

  #modifiers(): string {
    let text = ''
    if (this.#chance(0.12)) text += ` ${this.#use('offset')} ${this.#pick(offsets)}`
    if (this.#chance(0.08)) {
      const at = this.#isTimeFree || this.#chance(0.5) ? this.#pick(times) : this.#pick(['start()', 'end()'])
      text += ` ${this.#use('@')} ${at}`
    }
    return text
  }

  #matrix(depth: number, hint: string): string {
    if (this.#wanted.length > 0 || (depth > 0 && this.#chance(0.18))) {
      this.#use('subquery')
      return `${this.#closed(this.#vector(depth - 1))}[${this.#pick(ranges)}:${this.#pick(steps)}]${this.#modifiers()}`
    }
    let extension = ''
    if (anchorable.has(hint) && this.#chance(0.1)) extension = ` ${this.#use('anchored')}`
    else if (smoothable.has(hint) && this.#chance(0.1)) extension = ` ${this.#use('smoothed')}`
    const range =
      this.#isTimeFree || this.#chance(0.7) ? this.#pick(ranges) : this.#pick(['step() * 2', 'range() + 15s'])
    return `${this.#bare(hint)}[${range}]${extension}${this.#modifiers()}`
  }

  #closed(text: string): string {
    return /^[\w:]+(\{[^{}]*\})?$/.test(text) ? text : `(${text})`
  }

  #scalar(depth: number): string {
    const isWanted = this.#wanted.length > 0
    if (!isWanted && (depth <= 0 || this.#chance(0.7))) return this.#pick(scalarTexts)
    const choice = isWanted ? 0 : this.#random.below(7)
    if (choice === 0) return `${this.#use('scalar')}(${this.#vector(depth - 1)})`
    if (choice === 1) return this.#use('time') + '()'
    if (choice === 4) return this.#use('pi') + '()'
    if (choice === 5)
      return `${this.#use(this.#pick(['max_of', 'min_of']))}(${this.#scalar(depth - 1)}, ${this.#scalar(depth - 1)})`
    if (choice === 6 && !this.#isTimeFree) return this.#use(this.#pick(['start', 'end'])) + '()'
    if (choice === 2) return `(${this.#scalar(depth - 1)} ${this.#pick(arithmetic)} ${this.#scalar(depth - 1)})`
    return `${this.#closed(this.#scalar(depth - 1))} ${this.#pick(comparisons)} bool ${this.#closed(this.#scalar(depth - 1))}`
  }

  #call(depth: number, wanted?: string): string {
    const signature = vectorFunctions.find(({ name }) => name === wanted) ?? this.#pick(vectorFunctions)
    const { name } = signature
    this.#use(name)
    if (name === 'info') return `info(${this.#plain('rate')}${this.#pick(infoPatterns)})`
    // `absent` mostly gets a selector that matches no series.
    if (name === 'absent' && this.#wanted.length === 0 && this.#chance(0.7))
      return `absent(${this.#pick(everyName)}{${this.#missing()}})`
    if (name === 'label_replace') {
      const [to, from] = [this.#pick(['zone', 'new', 'instance']), this.#pick(['zone', 'instance', '__name__'])]
      return `label_replace(${this.#vector(depth - 1)}, "${to}", "${this.#pick(['x-$1', '$1', '', 'k'])}", "${from}", "${this.#pick(['(.).*', '.*', 'z(.)', ''])}")`
    }
    if (name === 'label_join') return `label_join(${this.#vector(depth - 1)}, "both", "-", "zone", "instance")`
    if (name === 'histogram_quantiles') return `histogram_quantiles(${this.#plain(name)}, "q", 0.5, ${this.#scalar(0)})`
    if (name.startsWith('sort_by_label')) return `${name}(${this.#vector(depth - 1)}, "zone", "instance")`
    return `${name}(${this.#arguments(signature, depth).join(', ')})`
  }

  #arguments(signature: SeriesSignature, depth: number): readonly string[] {
    const { args, name, variadic } = signature
    const given = variadic !== 0 && this.#chance(0.5) ? args.slice(0, -1) : args
    return given.map((type) => this.#argument(type, depth - 1, name))
  }

  #argument(type: SeriesType, depth: number, name: string): string {
    if (type === 'matrix') return this.#matrix(depth, name)
    if (type === 'scalar') return this.#scalar(Math.min(depth, 1))
    if (type === 'string') return '"x"'
    return name.startsWith('histogram') && this.#chance(0.6) ? this.#plain(name) : this.#vector(depth)
  }

  /** Writes a plain selector if no function remains to be nested. */
  #plain(hint: string): string {
    return this.#wanted.length > 0 ? this.#vector(0) : this.#bare(hint)
  }

  #aggregation(depth: number, wanted = ''): string {
    const { name, param } = aggregationSignatures.get(wanted) ?? this.#pick([...aggregationSignatures.values()])
    this.#use(name)
    const first = param === undefined ? '' : `${param === 'string' ? '"v"' : this.#scalar(1)}, `
    const grouping = this.#chance(0.35) ? '' : ` ${this.#pick(['by', 'without'])} (${this.#labels(2)})`
    const body = `(${first}${this.#vector(depth - 1)})`
    return this.#chance(0.2) ? `${name}${body}${grouping}` : `${name}${grouping} ${body}`
  }

  #matching(isSet: boolean): string {
    if (this.#chance(0.4)) return ''
    const isOn = this.#chance(0.6)
    let text = ` ${this.#use(isOn ? 'on' : 'ignoring')} (${isOn ? this.#pick(['zone, instance', 'instance', 'zone', '']) : this.#labels(2)})`
    if (!isSet && this.#chance(0.4)) {
      text += ` ${this.#use(this.#pick(['group_left', 'group_right']))} (${this.#chance(0.3) ? 'job' : ''})`
    }
    if (!isSet && this.#chance(0.12))
      text += ` ${this.#use(this.#pick(['fill', 'fill_left', 'fill_right']))} (${this.#pick(['0', '7'])})`
    return text
  }

  #binary(depth: number): string {
    const left = this.#vector(depth - 1)
    const kind = this.#random.below(10)
    if (kind < 2) {
      const op = this.#use(this.#pick(sets))
      return `${this.#closed(left)} ${op}${this.#matching(true)} ${this.#closed(this.#vector(depth - 1))}`
    }
    const isComparison = kind < 5
    const op = this.#use(
      this.#chance(0.05) ? this.#pick(['</', '>/']) : this.#pick(isComparison ? comparisons : arithmetic),
    )
    const bool = comparisons.includes(op) && this.#chance(0.3) ? ` ${this.#use('bool')}` : ''
    if (this.#chance(0.45)) {
      const sides = [this.#closed(left), this.#closed(this.#scalar(1))]
      if (this.#chance(0.3)) sides.reverse()
      return `${sides[0]} ${op}${bool} ${sides[1]}`
    }
    // With the same expression on both sides, the labels match more often.
    const right = this.#chance(0.4) ? left : this.#vector(depth - 1)
    return `${this.#closed(left)} ${op}${bool}${this.#matching(false)} ${this.#closed(right)}`
  }

  #vector(depth: number): string {
    const wanted = this.#wanted.pop()
    if (wanted !== undefined)
      return aggregationSignatures.has(wanted)
        ? this.#aggregation(Math.max(depth, 1), wanted)
        : this.#call(Math.max(depth, 1), wanted)
    if (depth <= 0) return `${this.#bare()}${this.#chance(0.04) ? ` ${this.#use('smoothed')}` : ''}${this.#modifiers()}`
    const kind = this.#random.below(20)
    if (kind < 8) return this.#call(depth)
    if (kind < 12) return this.#aggregation(depth)
    if (kind < 17) return this.#binary(depth)
    if (kind === 17) return `${this.#pick(['-', '+'])}${this.#closed(this.#vector(depth - 1))}`
    if (kind === 18) return `(${this.#vector(depth - 1)})`
    return `${this.#bare()}${this.#modifiers()}`
  }

  expression(): string {
    if (this.#wanted.length === 0 && this.#chance(0.04)) return this.#scalar(2)
    let text = this.#vector(1 + this.#random.below(3))
    // Functions that could not be nested are appended with `or`.
    while (this.#wanted.length > 0) text = `${this.#closed(text)} or ${this.#closed(this.#vector(1))}`
    return text
  }
}

const sides = [...vectorFunctions.map(({ name }) => name), ...aggregationSignatures.keys()]

/** The number of ordered pairs of functions and aggregations. */
export const metricPairCount = sides.length ** 2

/**
 * Draws one case; equal random numbers give equal cases. The two functions of `pair`, counted from 0 modulo
 * `metricPairCount`, are nested in each other.
 */
export function generatePromql(random: Random, pair?: number): PromqlCase {
  const wanted =
    pair === undefined
      ? []
      : [present(sides[pair % sides.length]), present(sides[Math.floor(pair / sides.length) % sides.length])]
  const writer = new Writer(random, wanted)
  const text = writer.expression()
  const stepMs = random.pick([7_000, 15_000, 20_500, 37_000, 90_000])
  const count = 2 + random.below(4)
  // The times are mostly within the range of the samples.
  const startMs =
    random.below(12) === 0 ? random.below(DATA_MS + 400_000) - 30_000 : 60_000 + random.below(DATA_MS - 60_000)
  return { text, startMs, endMs: startMs + (count - 1) * stepMs, stepMs, uses: writer.uses }
}

/** Removes, doubles or swaps one piece of a text. The result is mostly invalid, sometimes valid. */
export function damage(text: string, random: Random): string {
  const pieces = text.match(/[A-Za-z_:][\w:]*|[0-9.]+[a-z0-9]*|"[^"]*"|\s+|[^]/g) ?? []
  const at = random.below(pieces.length)
  const kind = random.below(4)
  if (kind === 0) return pieces.toSpliced(at, 1).join('')
  if (kind === 1) return pieces.toSpliced(at, 0, present(pieces[at])).join('')
  if (kind === 2)
    return pieces
      .toSpliced(at, 0, random.pick(['(', ')', '[', ']', '{', ',', 'by', 'offset', '@', '5m', '"', '-']))
      .join('')
  return pieces.toSpliced(at, 2, pieces[at + 1] ?? '', present(pieces[at])).join('')
}
