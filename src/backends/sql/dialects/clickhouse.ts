import { defineDialect, template, type NativeType } from '../dialect.ts'
import { withArrival, type ForeignSource } from '../foreign/source.ts'
import { duckdbWordClass } from './duckdb-words.ts'
import { generic } from './generic.ts'
import { ODD_CONTROLS, smallHex } from './quoted-text.ts'

/** Reserved words; they must be quoted when used as names. */
const RESERVED = new Set(
  (
    'all and anti any array as asc asof between by case cast collate cross cube date day desc distinct div else end except ' +
    'exists false final first following for format from full global grant group grouping having hour if ilike in inner ' +
    'intersect interval into is join key last left like limit minute mod month natural not null nulls offset on or order ' +
    'outer over partition preceding prewhere qualify quarter range recursive right rollup row rows sample second select ' +
    'semi sets settings step substring table then ties to top totals trim true unbounded union using values week when ' +
    'where window with year'
  ).split(' '),
)

/** Quotes a name. Backslashes are doubled, since ClickHouse treats them as escapes. */
function identifier(name: string): string {
  const isPlain = /^[A-Za-z_]\w*$/u.test(name) && !RESERVED.has(name.toLowerCase())
  return isPlain ? name : `\`${name.replaceAll(/[\\`]/gu, String.raw`\$&`)}\``
}

/** Removes the wrappers `Nullable` and `LowCardinality` from a type name; they do not change the values. */
function bare(type: string): string {
  const inner = /^(?:Nullable|LowCardinality|SimpleAggregateFunction\(\w+,)\s*\(?(.*)\)$/su.exec(type)?.[1]
  return inner === undefined ? type : bare(inner.trim())
}

/** Returns the names of an Enum type by number. Names are quoted and escaped as the server prints them. */
export function enumNames(type: string): ReadonlyMap<number, string> {
  return new Map(
    [...type.matchAll(/'((?:[^'\\]|\\.)*)' = (-?\d+)/gsu)].map(([, text = '', number]) => [
      Number(number),
      text.replaceAll(/\\(.)/gsu, (_, char: string) => ESCAPES[char] ?? char),
    ]),
  )
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', b: '\b', f: '\f' }

const TIMES: ReadonlyMap<string, NativeType> = new Map([
  ['0', { kind: 'time', unitNs: 1_000_000_000n, toNs: 'ns-of-seconds', make: 'itself' }],
  ['3', { kind: 'time', unitNs: 1_000_000n, toNs: 'ns-of-time', make: 'time-of-ms' }],
  ['6', { kind: 'time', unitNs: 1_000n, toNs: 'ns-of-time', make: 'time-of-us' }],
  ['9', { kind: 'time', unitNs: 1n, toNs: 'ns-of-nanoseconds', make: 'time-of-ns' }],
])
/** Reads a time type with an unusual number of fraction digits by conversion to nanoseconds. */
const OTHER_TIME: NativeType = { kind: 'time', unitNs: 1n, toNs: 'ns-of-time', make: 'time-of-ns' }

function native(type: string): NativeType {
  const known = bare(type.trim())
  if (known === 'String') return { kind: 'text', isCoded: type.includes('LowCardinality(') }
  if (/^Enum(?:8|16)\(/u.test(known)) return { kind: 'text', values: [...enumNames(known).values()] }
  if (known === 'Int64') return { kind: 'integer' }
  if (/^U?Int(?:8|16|32)$/u.test(known)) return { kind: 'integer', isNarrow: true }
  if (/^U?Int(?:64|128|256)$/u.test(known)) return { kind: 'wide' }
  if (known === 'Float64' || known === 'Float32') return { kind: 'float' }
  if (known === 'Bool') return { kind: 'bool' }
  const time = /^DateTime(?:64\((\d)(?:,.*)?\)|\('[^']*'\))?$/u.exec(known)
  if (time === null) return { kind: 'other' }
  const [, digits = '0'] = time
  return (known.startsWith('DateTime64') && digits === '0' ? undefined : TIMES.get(digits)) ?? OTHER_TIME
}

function source(given: ForeignSource): string {
  if (given.kind === 'files') return ''
  return withArrival(given.path.map(identifier).join('.'), given.arrivalNs, (ns) => `toInt64(${ns})`)
}

/** Returns the ClickHouse type of a parameter value. */
function parameterType(value: unknown): string {
  if (typeof value === 'bigint') return value >= -(2n ** 63n) && value < 2n ** 63n ? 'Int64' : 'Int256'
  if (typeof value === 'number') return 'Float64'
  return value === null ? 'Nullable(String)' : 'String'
}

/**
 * Expression over which a word index must be made. The index's tokenizer takes all characters beyond ASCII as letters,
 * Sluice only some of them. Replacing them by spaces makes each ASCII word of Sluice a whole word of the index.
 */
const INDEXED = `replaceRegexpAll(lower(replaceAll(replaceAll({0}, 'İ', 'i'), '\u212a', 'k')), '[^\\\\x00-\\\\x7F]+', ' ')`

/** Writes a string literal. Backslashes are doubled, since ClickHouse treats them as escapes. */
const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\')}'`

export const clickhouse = defineDialect(generic, {
  name: 'clickhouse',
  identifier,
  parameter: (_position, given) => `{${given.name}:${parameterType(given.kind === 'value' ? given.value : undefined)}}`,
  nullIs: 'last',
  maxParameters: 60_000,
  // Lists are never sent as JSON arrays: an HTTP form can hold many parameters, each with its own type.
  arrayFrom: Infinity,
  functions: {
    'null-if-empty': template(`nullIf({0}, '')`),
    'contains-text': template('position({0}, {1}) > 0'),
    'starts-with': template('startsWith({*})'),
    'lower-ascii': template('lower({*})'),
    // ClickHouse's lower case differs from Sluice's in one letter, which is replaced here, and in a capital sigma at
    // the end of a word.
    fold: template(`lowerUTF8(replaceAll({0}, 'İ', 'i'))`),
    'fold-to-ascii': template(`lower(replaceAll(replaceAll({0}, 'İ', 'i'), '\u212a', 'k'))`),
    'indexed-text': template(INDEXED),
    'has-words': template(`hasAllTokens(${INDEXED}, {1})`),
    matches: template('match({*})'),
    'is-nan': template('isNaN({*})'),
    'is-ascii': template('length({0}) = lengthUTF8({0})'),
    'as-text': template('toString({*})'),
    'as-json': template('toJSONString({*})'),
    'quoted-text': template(
      smallHex(`replaceAll(toJSONString({0}), ${literal('\\/')}, '/')`, {
        isOdd: `match({0}, ${literal(`[${ODD_CONTROLS}\u2028\u2029]`)})`,
        aside: 'char(1)',
        unescaped: ['\u2028', '\u2029'],
        replaced: (text, from, to) => `replaceAll(${text}, ${from}, ${to})`,
        quoted: literal,
      }),
    ),
    // A ClickHouse map is never NULL, so an empty map stands for "no undeclared fields".
    'empty-map': template("CAST(map(), 'Map(String, String)')"),
    'as-wide': template('toInt128({*})'),
    'floor-time': template('{0} - positiveModulo({0}, {1})'),
    'ns-of-seconds': template('toInt64(toUnixTimestamp({0})) * 1000000000'),
    'ns-of-nanoseconds': template('toUnixTimestamp64Nano({*})'),
    'ns-of-time': template('toUnixTimestamp64Nano(toDateTime64({0}, 9))'),
    'time-of-ns': template('fromUnixTimestamp64Nano({*})'),
    'time-of-us': template('fromUnixTimestamp64Micro({*})'),
    'time-of-ms': template('fromUnixTimestamp64Milli({*})'),
    itself: template('{0}'),
    'whole-of-text': template('toInt64OrNull({0})'),
    'without-nan': template('if(isNaN({0}), NULL, {0})'),
    'float-key': template('if(isNaN({0}), nan, {0} + 0.)'),
    // ClickHouse cannot compare signed and unsigned integers as join keys, so both are converted to signed.
    'whole-key': template('toInt64({*})'),
  },
  aggregates: {
    // Sums 128-bit integers, because a sum of 64-bit integers would overflow silently.
    SUM: template('sum(toInt128({*}))'),
    // ClickHouse's compensated sum `sumKahan` gives NaN for an infinite sum; the plain sum is used in that case.
    'SUM-FLOAT': template('if(isFinite(sumKahan({0}){over}), sumKahan({0}){over}, sum({0}){over})'),
    // A plain COUNT of a nullable column over a window fails in ClickHouse; COUNT of `toNullable` does not.
    'COUNT-OVER': template('count(toNullable({*}))'),
    // Plain `min` returns 0 for no rows, where the result must be missing.
    MIN: template('minOrNull({*})'),
    MAX: template('maxOrNull({*})'),
    LIST: template('groupArray({*})'),
    QUANTILE: template('quantileExactOrNull({1})({0})'),
    // NaN is greater than all numbers. ClickHouse's own functions ignore NaN or order it arbitrarily.
    'MIN-FLOAT': template(
      'if(countIf(NOT isNaN({0})){over} = 0 AND count({0}){over} > 0, nan, minOrNull(if(isNaN({0}), NULL, {0})){over})',
    ),
    'MAX-FLOAT': template('if(countIf(isNaN({0})){over} > 0, nan, maxOrNull({0}){over})'),
    'QUANTILE-FLOAT': template(
      'if(countIf(isNaN({0})){over} > 0 AND floor({1} * count({0}){over}) >= count({0}){over} - countIf(isNaN({0})){over}, nan, quantileExactOrNull({1})(if(isNaN({0}), inf, {0})){over})',
    ),
  },
  foreign: {
    native,
    source,
    member: (column, path, holds, bind) => {
      const key = path[0] ?? ''
      if (holds === 'map') return `${column}[${bind(key)}]`
      if (holds === 'maybe-map') {
        const name = bind(key)
        return `if(mapContains(${column}, ${name}), ${column}[${name}], NULL)`
      }
      return [column, ...path.map(identifier)].join('.')
    },
    hasAsciiFold: true,
    isSlowWithClasses: true,
    comparesNoNaN: true,
    hasEmptyMembers: true,
    hasLimitBy: true,
    keepsSources: true,
    booleans: ['true', 'false'],
    foldExcept: /[σς]/u,
    wordClass: duckdbWordClass,
    hasRe2: true,
  },
})
