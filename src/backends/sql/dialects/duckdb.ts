import { defineDialect, identifiersWithout, template, type NativeType } from '../dialect.ts'
import { ROW_NUMBER, withArrival, type ForeignSource } from '../foreign/source.ts'
import { duckdbWordClass } from './duckdb-words.ts'
import { ODD_CONTROLS, smallHex } from './quoted-text.ts'
import { generic } from './generic.ts'

const identifier = identifiersWithout(
  'all analyse analyze and anti any array as asc asof asymmetric at authorization between binary both by case cast check ' +
    'collate collation column columns concurrently constraint create cross current_date current_time current_timestamp ' +
    'default deferrable desc describe distinct do else end except exists false fetch filter for foreign freeze from full ' +
    'generated glob grant group grouping having ilike in initially inner intersect interval into is isnull join lambda ' +
    'lateral leading left like limit localtime localtimestamp map natural not notnull null offset on only or order outer ' +
    'overlaps pivot pivot_longer pivot_wider placing positional primary qualify references returning right row select semi ' +
    'set show similar some struct summarize symmetric table tablesample then to trailing true try_cast union unique unpack ' +
    'unpivot using values variadic verbose when where window with within',
)

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * Writes SQL that reads two digits of a time string as a whole number and multiplies it by `ns`, the nanoseconds of its
 * unit.
 */
const part = (from: number, ns: bigint): string => `CAST({0}[${from}:${from + 1}] AS BIGINT) * ${ns}`

const TIME_PATTERN =
  '\\d\\d\\d\\d-\\d\\d-\\d\\d(?:' +
  '[Tt ](?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)|' +
  '[T ](?:[01]\\d|2[0-3]):[0-5]\\d(?::(?:[0-5]\\d|60)(?:\\.\\d+)?)?)'

/**
 * SQL that converts a time string to nanoseconds. Accepts RFC 3339, also without a zone or without a zone and seconds,
 * as `textNs` does; other strings become NULL. The pattern checks everything except the days of a month. Fraction
 * digits after the ninth are dropped.
 */
const TIME_OF_TEXT = `CASE WHEN regexp_full_match({0}, '${TIME_PATTERN}')
    AND TRY_CAST({0}[1:10] AS DATE) IS NOT NULL
  THEN CAST(least(greatest(
    CAST(datediff('day', DATE '1970-01-01', TRY_CAST({0}[1:10] AS DATE)) AS HUGEINT) * 86400000000000
      + ${part(12, 3_600_000_000_000n)} + ${part(15, 60_000_000_000n)}
      + CASE WHEN length({0}) = 16 THEN 0 ELSE ${part(18, 1_000_000_000n)} END
      + CAST(rpad(left(regexp_extract({0}, '\\.(\\d+)', 1), 9), 9, '0') AS BIGINT)
      - CASE WHEN {0}[-6:-6] IN ('+', '-')
        THEN CAST({0}[-6:-6] || '1' AS BIGINT) * (CAST({0}[-5:-4] AS BIGINT) * 3600 + CAST({0}[-2:] AS BIGINT) * 60) * 1000000000
        ELSE 0 END,
    -9223372036854775808), 9223372036854775807) AS BIGINT) END`

const NARROW = new Set(['TINYINT', 'SMALLINT', 'INTEGER', 'UTINYINT', 'USMALLINT', 'UINTEGER'])
const TIMES = new Map<string, NativeType>([
  ['TIMESTAMP_NS', { kind: 'time', unitNs: 1n, toNs: 'ns-of-time', make: 'time-of-ns' }],
  ['TIMESTAMP', { kind: 'time', unitNs: 1000n, toNs: 'ns-of-time', make: 'time-of-us' }],
  ['TIMESTAMP_MS', { kind: 'time', unitNs: 1_000_000n, toNs: 'ns-of-time', make: 'time-of-ms' }],
  ['TIMESTAMP_S', { kind: 'time', unitNs: 1_000_000_000n, toNs: 'ns-of-time', make: 'time-of-s' }],
  ['DATE', { kind: 'time', unitNs: 86_400_000_000_000n, toNs: 'ns-of-time', make: 'date-of-days' }],
  ['TIMESTAMP WITH TIME ZONE', { kind: 'time', unitNs: 1000n, toNs: 'ns-of-time', make: 'zoned-time-of-us' }],
])

/** Returns the values of an enumerated type from its name in DuckDB's notation. */
function enumValues(type: string): readonly string[] {
  return [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) => value.replaceAll("''", "'"))
}

/**
 * True if a decimal type has at most 15 digits. Its digits and its power of ten are then exact floats, so their
 * quotient is the nearest float.
 */
function isShortDecimal(type: string): boolean {
  const [, digits] = /^DECIMAL\((\d+),/.exec(type) ?? []
  return digits !== undefined && Number(digits) <= 15
}

function native(type: string): NativeType {
  // Lists are tested first, because the name of a list type begins with the name of the item type.
  if (/\[\d*\]$|^(?:STRUCT|MAP|UNION)\(/.test(type)) return { kind: 'text', read: 'json-text', isJson: true }
  if (type === 'VARCHAR') return { kind: 'text' }
  if (type.startsWith('ENUM(')) return { kind: 'text', values: enumValues(type) }
  if (type === 'BIGINT') return { kind: 'integer' }
  if (NARROW.has(type)) return { kind: 'integer', isNarrow: true }
  if (type === 'UBIGINT' || type === 'HUGEINT' || type === 'UHUGEINT') return { kind: 'wide' }
  if (type === 'DOUBLE') return { kind: 'float' }
  if (type === 'FLOAT' || isShortDecimal(type)) return { kind: 'float', read: 'as-double' }
  if (type === 'BOOLEAN') return { kind: 'bool' }
  return TIMES.get(type) ?? { kind: 'other' }
}

/**
 * Writes one step of a JSON pointer. A pointer can hold any name, whereas quotes and stars are special in paths after
 * `$`.
 */
function pointerStep(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

const READERS = { parquet: 'read_parquet', csv: 'read_csv', json: 'read_json', arrow: 'read_arrow' } as const

/**
 * Returns the options with which DuckDB's file readers change no value: times and dates stay strings with all their
 * digits.
 */
function readerOptions({ format, types, arrivalNs }: ForeignSource & { kind: 'files' }): readonly string[] {
  const known = Object.entries(types ?? {}).map(([name, type]) => `${quoted(name)}: ${quoted(type)}`)
  const struct = known.length === 0 ? undefined : `{${known.join(', ')}}`
  switch (format) {
    case 'csv':
      return [
        "auto_type_candidates = ['BIGINT', 'DOUBLE', 'VARCHAR']",
        ...(struct === undefined ? [] : [`types = ${struct}`]),
      ]
    case 'json':
      // No string has these formats, so a reader without known types converts no string to a time or date.
      return struct === undefined ? ["timestampformat = '%Y|'", "dateformat = '%Y|'"] : [`columns = ${struct}`]
    case 'parquet':
      return arrivalNs === undefined ? [] : [`${ROW_NUMBER} = true`]
    case 'arrow':
      return []
  }
}

const arrivalTime = (ns: bigint): string => `make_timestamp_ns(${ns})`

function source(from: ForeignSource): string {
  if (from.kind === 'table') return withArrival(from.path.map(identifier).join('.'), from.arrivalNs, arrivalTime)
  const [only = ''] = from.paths
  const paths = from.paths.length === 1 ? quoted(only) : `[${from.paths.map(quoted).join(', ')}]`
  // Several files may have different columns, which are united by name.
  const isOne = from.paths.length === 1 && !/[*?[{]/.test(only)
  const isParted = from.paths.some((path) => path.includes('=') || /[*?[{].*\//.test(path))
  const options = [
    ...(isOne || from.format === 'arrow' ? [] : ['union_by_name = true']),
    // Without this option, a value such as `007` in a folder name would become a number.
    ...(isParted && from.format !== 'arrow' ? ['hive_types_autocast = false'] : []),
    ...readerOptions(from),
  ]
  const read = `${READERS[from.format]}(${[paths, ...options].join(', ')})`
  return withArrival(read, from.arrivalNs, arrivalTime)
}

/**
 * Lower-case letters that DuckDB's `lower` does not produce, because their capitals are newer than DuckDB's Unicode
 * version.
 */
const UNKNOWN_LETTERS = /[\u019b\u0264\u1c8a\ua7cd\ua7cf\ua7d3\ua7d5\ua7db\u{10d70}-\u{10d85}\u{16ebb}-\u{16ed3}]/u

export const duckdb = defineDialect(generic, {
  name: 'duckdb',
  identifier,
  parameter: (_position, { name }) => `$${name}`,
  nullIs: 'last',
  numbersNothing: true,
  maxParameters: 30_000,
  arrayValues: template('(SELECT unnest(from_json({0}, \'["VARCHAR"]\')))'),
  arrayFrom: Infinity,
  functions: {
    'contains-text': template('contains({*})'),
    'starts-with': template('starts_with({*})'),
    fold: template('lower({*})'),
    matches: template('regexp_matches({*})'),
    'is-nan': template('isnan({*})'),
    'as-text': template('CAST({*} AS VARCHAR)'),
    // Changes only the type, so indexes and statistics can still be used.
    uncollated: template('{0} COLLATE "binary"'),
    'json-text': template('CAST(to_json({*}) AS VARCHAR)'),
    'as-json': template('to_json({*})'),
    'quoted-text': template(
      smallHex('CAST(to_json({0}) AS VARCHAR)', {
        isOdd: `regexp_matches({0}, '[${ODD_CONTROLS}]')`,
        aside: 'chr(1)',
        replaced: (text, from, to) => `replace(${text}, ${from}, ${to})`,
        quoted,
      }),
    ),
    'text-of-json': template("json_extract_string({0}, '$')"),
    'is-json-text': template("json_type({0}) = 'VARCHAR'"),
    'number-of-json': template(
      "CASE WHEN json_type({0}) IN ('BIGINT', 'UBIGINT', 'DOUBLE') THEN TRY_CAST({0} AS DOUBLE) END",
    ),
    'as-double': template('CAST({*} AS DOUBLE)'),
    'as-wide': template('CAST({*} AS HUGEINT)'),
    // Most times are after 1970, and the first branch is faster for them.
    'floor-time': template('CASE WHEN {0} >= 0 THEN {0} // {1} * {1} ELSE {0} - ({0} % {1} + {1}) % {1} END'),
    'ns-of-text': template(TIME_OF_TEXT),
    'ns-of-time': template('epoch_ns({*})'),
    'time-of-ns': template('make_timestamp_ns({*})'),
    'time-of-us': template('make_timestamp({*})'),
    'time-of-ms': template('make_timestamp_ms({*})'),
    'time-of-s': template('make_timestamp({0} * 1000000)'),
    'date-of-days': template("DATE '1970-01-01' + CAST({*} AS INTEGER)"),
    'zoned-time-of-us': template('make_timestamptz({*})'),
    // TRY_CAST gives NULL where CAST gives an error: DuckDB computes the argument of a sum even for rows that the
    // FILTER excludes.
    'whole-of-text': template('TRY_CAST({0} AS BIGINT)'),
    'without-nan': template("nullif({0}, 'nan'::DOUBLE)"),
  },
  aggregates: {
    LIST: template('list({*})'),
    // DuckDB's compensated sum `fsum` gives NaN for an infinite sum; the plain sum is used in that case.
    'SUM-FLOAT': template('CASE WHEN isfinite(fsum({0}){over}) THEN fsum({0}){over} ELSE sum({0}){over} END'),
    QUANTILE: template('quantile_disc({*})'),
  },
  foreign: {
    native,
    source,
    member: (column, path, holds, bind) => {
      if (holds === 'map') return `${column}[${bind(path[0] ?? '')}]`
      if (holds === 'struct') return [column, ...path.map(identifier)].join('.')
      const read = holds === 'json-text' ? 'json_extract_string' : 'json_extract'
      return `${read}(${column}, ${bind(path.map(pointerStep).join(''))})`
    },
    enumValue: quoted,
    groupsByPosition: true,
    booleans: ['TRUE', 'FALSE'],
    foldExcept: UNKNOWN_LETTERS,
    wordClass: duckdbWordClass,
    hasQuickOrder: true,
    hasOddLeast: true,
    hasRe2: true,
  },
})
