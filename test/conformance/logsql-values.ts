import { dropColor, hasColor, parseStreamName, printStreamName } from '../../src/data/index.ts'
import {
  formatDurationNs,
  formatRfc3339,
  MAX_NS,
  parseDurationNs,
  parseRfc3339,
  SluiceError,
} from '../../src/base/index.ts'
import {
  bucketValue,
  collapseNumbers,
  collapseNumbersPretty,
  fold,
  formatIpv4,
  formatIpv6,
  formatNumber,
  Instant,
  isIso8601Millis,
  isWordAt,
  isWordBefore,
  parseBytes,
  parseIpv4,
  parseIpv4Cidr,
  parseIpv6Cidr,
  parseLogfmt,
  parsePlainNumber,
  printLogfmt,
  readTextPattern,
  toText,
  wordsOf,
  type Bucket,
  type Value,
} from '../../src/data/index.ts'
import { compileRegexp, valueMeter } from '../../src/base/index.ts'
import {
  applyPattern,
  flattenJson,
  hexDecode,
  hexEncode,
  hexNumDecode,
  hexNumEncode,
  isNaturallyLess,
  jsonItems,
  jsonObject,
  parseSyslog,
  replaceMatches,
  replaceText,
  splitText,
  urlDecode,
  urlEncode,
} from '../../src/functions/index.ts'
import { expressions, visit, visitExpr, type LogicalPlan } from '../../src/plan/index.ts'
import { isTextFunction, noRenaming, renamingOf } from './logsql-rename.ts'
import { engineOver } from './logsql-table.ts'
import { jsonTexts } from './json-stream.ts'
import { checkAll, checkFile, isSameSet, textOf, type Outcome, type Vector, type Verdict } from './outcome.ts'

interface ValueVector extends Vector {
  readonly fn: string
  readonly in: unknown
  readonly out: unknown
}

/**
 * The meter limits the size of computed values. The other constant is the current time for RFC 3164 dates, which have
 * no year; the vectors place them in 2024.
 */
const meter = valueMeter()
const SYSLOG_NOW_NS = parseRfc3339('2024-12-31T00:00:00Z') ?? 0n

class NotParseable extends Error {}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new NotParseable()
  return value
}

/** Returns a number in the notation of the vectors: from 2^53 on as a string. */
function numberOut(value: number | bigint): number | string {
  return typeof value === 'bigint' || Math.abs(value) >= 2 ** 53 ? String(BigInt(value)) : value
}

const DECIMAL = /^-?(?:0|[1-9][\d_]*)(?:\.\d+)?$/

function decimal(text: string): number {
  if (!DECIMAL.test(text)) throw new NotParseable()
  return Number(given(parsePlainNumber(text)))
}

function integer(text: string): number | bigint {
  if (!/^-?\d[\d_]*$/.test(text)) throw new NotParseable()
  return given(parsePlainNumber(text))
}

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['nanosecond', 1n],
  ['microsecond', 1_000n],
  ['millisecond', 1_000_000n],
  ['second', 1_000_000_000n],
  ['minute', 60_000_000_000n],
  ['hour', 3_600_000_000_000n],
  ['day', 86_400_000_000_000n],
])

function timeBucket(step: string, offset: string): Bucket {
  const offsetNs = offset === '' ? 0n : (parseDurationNs(offset) ?? 0n)
  if (step === 'week' || step === 'month' || step === 'year')
    return { kind: 'calendar', unit: step, offsetNs, zone: undefined }
  return { kind: 'time', widthNs: given(UNITS.get(step) ?? parseDurationNs(step)), offsetNs, zone: undefined }
}

function bucketNumber(input: unknown): unknown {
  const [value, step, offset = 0] = input as readonly (number | string)[]
  const bucketed = bucketValue(given(parsePlainNumber(textOf(value))), {
    kind: 'number',
    step: Number(step),
    offset: Number(offset),
  })
  return numberOut(bucketed as number | bigint)
}

/** Normalizes a time. The reference implementation also accepts zones without a colon, such as `+0100`. */
function normalisedTime(text: string): string {
  const withColon = text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
  const ns = given(parseRfc3339(withColon))
  if (ns === -(2n ** 63n)) throw new NotParseable()
  return formatRfc3339(ns, true)
}

type Run = (input: never) => unknown

function texts(fields: readonly (readonly [string, Value])[]): (readonly [string, string])[] {
  return fields.map(([name, value]) => [name, toText(value)] as const)
}

const runs: ReadonlyMap<string, Run> = new Map<string, Run>(
  Object.entries({
    parseDurationNs: (text: string) => String(given(parseDurationNs(text))),
    formatDurationNs: (ns: string | number) => formatDurationNs(BigInt(ns)),
    parseBytes: (text: string) => numberOut(given(parseBytes(text))),
    parseFloat64: (text: string) => decimal(text),
    parseFloat64Exact: (text: string) => {
      const value = decimal(text)
      if (Math.abs(value) >= 2 ** 53) throw new NotParseable()
      return value
    },
    formatFloat64: (value: number | string) => formatNumber(Number(value)),
    parseUint64: (text: string) => numberOut(integer(text)),
    parseInt64: (text: string) => numberOut(integer(text)),
    isIPv4: (text: string) => parseIpv4(text) !== undefined,
    ipv4MaskSize: (text: string) => {
      const range = given(parseIpv4Cidr(`0.0.0.0${text}`))
      return range.last - range.first + 1
    },
    parseIPv4CIDR: (text: string) => {
      const { first, last } = given(text.includes('/') ? parseIpv4Cidr(text) : undefined)
      return [formatIpv4(first), formatIpv4(last)]
    },
    parseIPv6CIDR: (text: string) => {
      const { first, last } = given(parseIpv6Cidr(text))
      return [formatIpv6(first), formatIpv6(last)]
    },
    parseRFC3339Normalised: normalisedTime,
    bucketTimestamp: ([text, step, offset]: [string, string, string]) =>
      toText(bucketValue(new Instant(given(parseRfc3339(text))), timeBucket(step, offset))),
    bucketFloat64: bucketNumber,
    bucketInt64: bucketNumber,
    bucketUint64: bucketNumber,
    bucketUint32: bucketNumber,
    naturalLess: ([a, b]: [unknown, unknown]) => isNaturallyLess(textOf(a), textOf(b)),
    sortStrings: (list: string | readonly string[]) =>
      (typeof list === 'string' ? list.split(',') : [...list])
        .sort((a, b) => (isNaturallyLess(a, b) ? -1 : isNaturallyLess(b, a) ? 1 : 0))
        .join(','),
    tokenizeDistinct: (list: readonly string[]) => [...new Set(list.flatMap(wordsOf))],
    regexInnerText: (text: string) => {
      let [start, end] = [0, text.length]
      while (start < end && isWordAt(text, start)) start++
      while (end > start && isWordBefore(text, end)) end--
      return text.slice(start, end)
    },
    patternApply: ([pattern, text]: [string, string]) => {
      const steps = readTextPattern(pattern)
      if (typeof steps === 'string') throw new NotParseable()
      return applyPattern(steps, text)
    },
    collapseNums: collapseNumbers,
    collapseNumsPrettify: collapseNumbersPretty,
    replace: ([text, old, by, limit]: [string, string, string, number]) => replaceText(text, old, by, limit, meter),
    replaceRegexp: ([text, pattern, by, limit]: [string, string, string, number]) =>
      replaceMatches(text, compileRegexp(pattern, false), by, limit, meter),
    hasColor,
    dropColor,
    unpackJSONArray: (text: string) =>
      jsonItems(text).map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item))),
    logfmtRoundTrip: (text: string) => printLogfmt(parseLogfmt(text)),
    syslogToLogfmt: ([text]: [string, string]) =>
      printLogfmt(parseSyslog(text, { nowNs: SYSLOG_NOW_NS, offsetNs: 0n })),
    flattenJSON: ([text, prefix, kept]: [string, string, readonly string[]]) =>
      texts(given(flattenJson(text, prefix, kept))),
    flattenJSONStream: ([text, prefix, kept]: [string, string, readonly string[]]) =>
      [...jsonTexts(text)]
        .map((part) => jsonObject(texts(given(flattenJson(part, prefix, kept))), meter, 'test').json)
        .join('\n'),
    fieldsToJSON: (fields: readonly (readonly [string, string])[]) => jsonObject(fields, meter, 'test').json,
    fieldsToLogfmt: (fields: readonly (readonly [string, string])[] | readonly [string, string]) =>
      printLogfmt((Array.isArray(fields[0]) ? fields : [fields]) as readonly (readonly [string, string])[]),
    streamNameToJSON: (text: string) => jsonObject(given(parseStreamName(text)), meter, 'test').json,
    streamName: (text: string) => printStreamName(given(parseStreamName(text))),
    streamNormalise: ([stream, fields]: [string, string]) => {
      const names = given(parseStreamName(stream)).map(([name]) => name)
      return printStreamName(parseLogfmt(fields).filter(([name]) => names.includes(name)))
    },
    urlEncode: (text: string) => urlEncode(text),
    urlDecode: (text: string) => urlDecode(text),
    hexEncode: (text: string) => hexEncode(text),
    hexDecode: (text: string) => hexDecode(text),
    hexNumEncode: (value: string | number) => hexNumEncode(textOf(value)),
    hexNumDecode,
    uppercase: (text: string) => text.toUpperCase(),
    lowercase: fold,
    rowsLiteral,
    endOfTimestampPrecisionNs: lastNs,
    isISO8601Millis: isIso8601Millis,
    split: ([text, separator]: [string, string]) => splitText(text, separator, meter),
  } satisfies Record<string, Run>),
)

/** Returns the plan of a query that contains the literal under test. Throws NotParseable if the query has errors. */
function planOf(query: string): LogicalPlan {
  try {
    return engineOver([]).plan(query, { dialect: 'logsql', lint: 'off' }).bound
  } catch (error) {
    throw error instanceof SluiceError ? new NotParseable() : error
  }
}

function rowsLiteral(text: string): unknown {
  const rows: unknown[] = []
  visit(planOf(`* | union ${text}`), (node) => {
    if (node.kind === 'values') rows.push(...node.rows.map((row) => Object.fromEntries(row)))
  })
  return rows
}

/** Returns the last nanosecond that a time covers, given the precision in which it is written. */
function lastNs(text: string): string {
  let endNs = 0n
  visit(planOf(`_time:[2000-01-01Z, ${text}]`), (node) => {
    if (node.kind === 'scan' && node.range.endNs !== MAX_NS) endNs = node.range.endNs
    for (const root of expressions(node)) {
      visitExpr(root, (expr) => {
        if (expr.kind === 'test' && expr.test.kind === 'time-range') endNs = expr.test.range.endNs
      })
    }
  })
  return String(endNs - 1n)
}

/** Functions that return words in an undefined order. */
const WORD_LISTS: ReadonlySet<string> = new Set(['tokenizeDistinct'])

/**
 * True if two values are equal, where a number equals its string form, since the vectors write large numbers as
 * strings.
 */
function isSameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => isSameValue(item, b[i]))
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a)
    return names.length === Object.keys(b).length && names.every((name) => name in b && isSameValue(a[name], b[name]))
  }
  return typeof a === 'number' || typeof b === 'number' ? String(a) === String(b) : a === b
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isError(out: unknown): boolean {
  return isObject(out) && out['error'] === true
}

function isRight(fn: string, actual: unknown, out: unknown): boolean {
  if (WORD_LISTS.has(fn) && Array.isArray(actual) && Array.isArray(out))
    return isSameSet(actual.map(textOf), out.map(textOf))
  return isSameValue(actual, out)
}

function checkValue({ fn, in: input, out }: ValueVector): Verdict {
  const run = runs.get(fn)
  if (run === undefined) return { failure: `nothing runs ${fn}` }
  let actual: unknown
  try {
    actual = run(input as never)
  } catch (error) {
    if (!(error instanceof NotParseable) && !(error instanceof SluiceError)) throw error
    actual = { error: true }
  }
  if (isError(out) ? isError(actual) : isRight(fn, actual, out)) return undefined
  return { failure: `${fn}(${JSON.stringify(input)}) gives ${JSON.stringify(actual)}, not ${JSON.stringify(out)}` }
}

export async function checkValues(directory: string, seed?: number): Promise<readonly Outcome[]> {
  const file = 'values.json'
  return checkFile<ValueVector>(directory, file, ({ vectors }) =>
    checkAll(file, vectors, checkValue, ({ id = '', fn, in: input, out }) =>
      seed === undefined || !isTextFunction(fn) ? noRenaming : renamingOf(id, seed, '', input, out),
    ),
  )
}
