import { SECOND_NS, clampNs, zoneOffsetNs, type JsonValue, type Random } from '../../base/index.ts'
import { leadingTime, readTime, timeFormats } from '../../data/index.ts'
import { defineFuzzer, type FuzzerDefinition } from '../runner/fuzzer.ts'
import { printers } from './printers.ts'

/** A time as some program prints it, or a text of pieces of such times. */
export interface TimeCase {
  readonly text: string
  readonly zone: string
  readonly nowNs: string
  /** The printed instant with the precision of the text, ns since 1970; `undefined` if the text need not be a time. */
  readonly ns?: string
  /** True if the text contains its zone. */
  readonly isZoned?: boolean
  readonly contexts?: readonly string[]
}

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns']
/** Maximum age, seconds, up to which a time without a year or day is unambiguous even when clocks change. */
const pastSeconds = { year: 363 * 86_400, day: 21 * 3600 } as const

/** For each range of a printer: its first second since 1970 and its length in seconds. */
const ranges = {
  all: [86_400 * 400, 86_400 * 365 * 220],
  century: [86_400 * 400, 86_400 * 365 * 95],
  epoch: [1_000_000_001, 8_000_000_000],
} as const

function rangeOf(
  range: keyof typeof ranges | keyof typeof pastSeconds,
  nowSeconds: number,
): readonly [from: number, count: number] {
  if (range !== 'year' && range !== 'day') return ranges[range]
  return [nowSeconds - pastSeconds[range], pastSeconds[range]]
}

function printed(random: Random): TimeCase {
  const { name, contexts } = random.pick(timeFormats.filter((format) => printers.has(format.name)))
  const printer = printers.get(name)
  if (printer === undefined) return mixed(random)
  const zone = random.pick(ZONES)
  const nowSeconds = 1_000_000_000 + random.below(3_000_000_000)
  const isPast =
    printer.range === 'year' || printer.range === 'day' || (contexts.includes('line') && !contexts.includes('value'))
  const [from, count] = rangeOf(printer.range, nowSeconds)
  const seconds = Math.min(from + Math.floor(random.next() * count), isPast ? nowSeconds : Infinity)
  const ns = BigInt(Math.max(seconds, 1_000_000_001)) * SECOND_NS + BigInt(random.below(1_000_000_000))
  const offsetSeconds = Number(zoneOffsetNs(zone, ns) / SECOND_NS)
  const { text, digits, isZoned } = printer.print({ ns, offsetSeconds }, random)
  const unit = 10n ** BigInt(9 - digits)
  const nowNs = String(BigInt(nowSeconds) * SECOND_NS)
  return { text, zone, nowNs, ns: String((ns / unit) * unit), isZoned, contexts }
}

/** Joins pieces of times in a random order, some cut or doubled. */
function mixed(random: Random): TimeCase {
  const pieces = Array.from({ length: 1 + random.below(4) }, () => {
    const [text] = random.pick(random.pick(timeFormats).examples)
    const from = random.below(text.length)
    return text.slice(random.next() < 0.5 ? 0 : from, from + random.below(text.length + 1))
  })
  const text = pieces.join(random.pick(['', ' ', '[', ']', ',', '\u0000', 'é', '  ', '-', '+', ':']))
  return { text: text.repeat(random.next() < 0.02 ? 1000 : 1), zone: random.pick(ZONES), nowNs: '1767225600000000000' }
}

/** True if two instants show the same time of day in a zone. Such an ambiguous time is read as the first instant. */
function isSameClock(zone: string, readNs: bigint, ns: bigint): boolean {
  return readNs < ns && readNs + zoneOffsetNs(zone, readNs) === ns + zoneOffsetNs(zone, ns)
}

function faultOf({ text, zone, nowNs, ns, isZoned = false, contexts = [] }: TimeCase): string | undefined {
  const context = { nowNs: BigInt(nowNs), zone }
  const asValue = readTime(text, context)
  const asLine = leadingTime(`${text} and so on`, context)
  for (const found of [asValue, asLine?.ns])
    if (found !== undefined && clampNs(found) !== found) return `${found} is outside of time`
  if (asLine !== undefined && asLine.end > text.length + 7) return `it ends at ${asLine.end} of ${text.length}`
  if (ns === undefined) return undefined
  const wanted = BigInt(ns)
  const isRight = (found: bigint | undefined): boolean =>
    found === wanted || (found !== undefined && !isZoned && isSameClock(zone, found, wanted))
  if (contexts.includes('value') && !isRight(asValue)) return `as a value ${asValue}, not ${wanted}`
  if (contexts.includes('line') && !isRight(asLine?.ns)) return `in a line ${asLine?.ns}, not ${wanted}`
  if (contexts.includes('line') && asLine?.end !== text.length) return `it ends at ${asLine?.end} of ${text.length}`
  return undefined
}

interface Checked {
  readonly fault: string | undefined
}

const prepare = (given: TimeCase): Checked => ({ fault: faultOf(given) })

export const timesDefinition: FuzzerDefinition<TimeCase, Checked> = {
  name: 'times',
  casesPerBlock: 20_000,
  laws: [{ law: { name: 'times-read-back', check: ({ fault }) => fault }, share: 1 }],
  block: () => ({
    prepare,
    draw: (random) => {
      const isPrinted = random.next() < 0.7
      return { given: isPrinted ? printed(random) : mixed(random), uses: new Set([isPrinted ? 'printed' : 'mixed']) }
    },
  }),
  ground: () => ({ prepare }),
  show: ({ text, zone }) => `${JSON.stringify(text.slice(0, 200))} in ${zone}`,
  *smaller(given) {
    if (given.ns !== undefined) return
    for (let at = 0; at < Math.min(given.text.length, 200); at++)
      yield { ...given, text: given.text.slice(0, at) + given.text.slice(at + 1) }
  },
  write: (given) => ({ ...given }),
  read: (kept: JsonValue) => kept as unknown as TimeCase,
}

/**
 * Fuzzer of time formats. Times of every format are parsed to the nanosecond in zones of all kinds; other texts never
 * throw.
 */
export const times = defineFuzzer(timesDefinition)
