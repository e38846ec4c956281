import { dropColor, typedNumber, type Value } from '../../data/index.ts'
import type { LevelScale } from '../../plan/index.ts'

/** Standard level names, with other spellings of each, in lower case. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  trace: ['trc', 'trce', 'finer', 'finest', 't'],
  verbose: ['vrb', 'v'],
  debug: ['dbg', 'dbug', 'fine', 'd', 'debug1', 'debug2', 'debug3', 'debug4', 'debug5'],
  info: ['information', 'informational', 'inf', 'i', 'log', 'normal'],
  notice: ['n'],
  warn: ['warning', 'wrn', 'w'],
  error: ['err', 'fail', 'severe', 'e'],
  critical: ['crit', 'c'],
  alert: [],
  emergency: ['emerg'],
  fatal: ['ftl', 'f'],
  panic: [],
}

const byName = new Map(
  Object.entries(SPELLINGS).flatMap(([name, others]) => [name, ...others].map((each) => [each, name] as const)),
)

/** Maximum length of a level name, UTF-16 code units. */
const MAX_NAME_CHARS = 16

type Names = readonly (readonly [from: number, name: string])[]

/** Returns names for numbers that are `step` apart, starting at `first`. */
function spaced(first: number, step: number, names: readonly string[]): Names {
  return names.map((name, i) => [first + i * step, name])
}

/** For each scale, the names of numbers. A number has the name of the last entry that is not greater. */
const SCALES: Readonly<Record<LevelScale, Names>> = {
  pino: spaced(10, 10, ['trace', 'debug', 'info', 'warn', 'error', 'fatal']),
  python: [
    [1, 'trace'],
    [10, 'debug'],
    [20, 'info'],
    [30, 'warn'],
    [40, 'error'],
    [50, 'critical'],
  ],
  syslog: spaced(0, 1, ['emergency', 'alert', 'critical', 'error', 'warn', 'notice', 'info', 'debug']),
  monolog: [
    [100, 'debug'],
    [200, 'info'],
    [250, 'notice'],
    [300, 'warn'],
    [400, 'error'],
    [500, 'critical'],
    [550, 'alert'],
    [600, 'emergency'],
  ],
  otel: spaced(1, 4, ['trace', 'debug', 'info', 'warn', 'error', 'fatal']),
  logback: [
    [5000, 'trace'],
    [10000, 'debug'],
    [20000, 'info'],
    [30000, 'warn'],
    [40000, 'error'],
  ],
  azure: spaced(0, 1, ['verbose', 'info', 'warn', 'error', 'critical']),
  // Windows uses 0 for events that are written whatever the level, and displays them as information.
  windows: spaced(0, 1, ['info', 'critical', 'error', 'warn', 'info', 'verbose']),
}

/** For each scale, the largest number that has the name of the last entry. Greater numbers are no levels. */
const ENDS: Readonly<Record<LevelScale, number>> = {
  pino: 60,
  python: 59,
  syslog: 7,
  monolog: 600,
  otel: 24,
  logback: 40000,
  azure: 4,
  windows: 5,
}

/** Returns the standard name of a level; `undefined` if the string is no level name. */
export function levelOfName(name: string): string | undefined {
  if (name.length > MAX_NAME_CHARS) return undefined
  const trimmed = name.trim()
  const found = byName.get(trimmed.toLowerCase())
  // A single letter must be upper case to be accepted as a level.
  return trimmed.length === 1 && trimmed !== trimmed.toUpperCase() ? undefined : found
}

export function levelOfNumber(number: number, scale: LevelScale): string | undefined {
  const isOnScale = scale === 'pino' ? number % 10 === 0 : Number.isInteger(number)
  if (!isOnScale || number > ENDS[scale]) return undefined
  return SCALES[scale].findLast(([from]) => number >= from)?.[1]
}

/** The result of reading a level. */
export interface ReadLevel {
  readonly level: Value
  /** True if a number, or a string of digits, was replaced by the name of its level. */
  readonly isRenamed: boolean
  /** True if the value is a level. */
  readonly isKnown: boolean
}

function isDigits(text: string): boolean {
  return text.length <= 5 && /^\d+$/.test(text)
}

/**
 * Returns the level that a value stands for. A number is mapped by `scale`, by default that of pino. A string of digits
 * is mapped if `scale` is given. Other strings are not changed, because users search for `level:ERROR` as it was sent;
 * only terminal colours are removed. Values between named levels, such as `INFO+2` of slog, are levels too. `isCopy`
 * means that the member keeps its own field: then `level` is the standard name, if there is one.
 */
export function readLevel(value: Value, scale: LevelScale | undefined, isCopy = false): ReadLevel {
  if (typeof value === 'string') {
    const plain = dropColor(value)
    if (plain !== value) return readLevel(plain.trim(), scale, isCopy)
    const ofDigits = scale !== undefined && isDigits(value) ? levelOfNumber(Number(value), scale) : undefined
    if (ofDigits !== undefined) return { level: ofDigits, isRenamed: true, isKnown: true }
    const name = levelOfName(/^([A-Z]{4,5})[+-]\d{1,4}$/.exec(value)?.[1] ?? value)
    return { level: isCopy ? (name ?? value) : value, isRenamed: false, isKnown: name !== undefined }
  }
  const number = typedNumber(value)
  const level = typeof number === 'number' ? levelOfNumber(number, scale ?? 'pino') : undefined
  const isKnown = level !== undefined
  return { level: level ?? value, isRenamed: isKnown, isKnown }
}
