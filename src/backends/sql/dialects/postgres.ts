import { formatRfc3339 } from '../../../base/index.ts'
import { isWordAt } from '../../../data/index.ts'
import { defineDialect, identifiersWithout, template, type NativeType } from '../dialect.ts'
import { withArrival, type ForeignSource } from '../foreign/source.ts'
import type { SqlParameter } from '../statement/params.ts'
import { generic } from './generic.ts'
import { postgresPattern } from './postgres-regexp.ts'

const identifier = identifiersWithout(
  'all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column ' +
    'concurrently constraint create cross current_catalog current_date current_role current_schema current_time ' +
    'current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from ' +
    'full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit ' +
    'localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references ' +
    'returning right select session_user similar some symmetric system_user table tablesample then to trailing true union ' +
    'unique user using variadic verbose when where window with',
)

/** Writes a placeholder with a cast to the value's type, so that PostgreSQL never infers the type from the context. */
function parameter(position: number, given: SqlParameter): string {
  const value = given.kind === 'value' ? given.value : undefined
  switch (typeof value) {
    case 'number':
      return `$${position}::float8`
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? `$${position}::bigint` : `$${position}::numeric`
    default:
      return `$${position}::text`
  }
}

const TEXT = /^(?:text|character varying(?:\(\d+\))?)$/
/**
 * Matches the type of a string column that does not compare by bytes, in the notation of the PostgreSQL engine's
 * `describe`.
 */
const COLLATED = /^(?:text|character varying(?:\(\d+\))?) COLLATE /
/** Matches column types with a collation that orders ASCII strings by bytes. */
const ASCII_ORDER = / COLLATE (?:"?C\.(?:UTF-8|utf8)"?|ucs_basic|"?C"?|"?POSIX"?|pg_c_utf8)$/
const TIMES = /^timestamp(?:\(\d\))? (with|without) time zone$/

/** Returns the labels of an enumerated type, from its name in the notation of the PostgreSQL engine's `describe`. */
function labels(type: string): readonly string[] {
  return [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) => value.replaceAll("''", "'"))
}

function native(type: string): NativeType {
  if (TEXT.test(type)) return { kind: 'text' }
  if (COLLATED.test(type)) {
    if (type.endsWith(' loosely')) return { kind: 'text', read: 'as-text' }
    return { kind: 'text', read: ASCII_ORDER.test(type) ? 'in-order' : 'in-bytes' }
  }
  if (type.startsWith('ENUM(')) return { kind: 'text', values: labels(type), read: 'as-text' }
  if (type === 'bigint') return { kind: 'integer' }
  if (type === 'integer' || type === 'smallint') return { kind: 'integer', isNarrow: true }
  if (type === 'double precision') return { kind: 'float' }
  if (type === 'boolean') return { kind: 'bool' }
  const [, zone] = TIMES.exec(type) ?? []
  if (zone === undefined) return { kind: 'other' }
  const make = zone === 'with' ? 'zoned-time' : 'plain-time'
  return { kind: 'time', unitNs: 1000n, toNs: 'ns-of-time', make, spell: formatRfc3339 }
}

function source(from: ForeignSource): string {
  if (from.kind === 'files') return ''
  return withArrival(from.path.map(identifier).join('.'), from.arrivalNs, (ns) => `${ns}::bigint`)
}

const MAX_CODE = 0x10ffff

/**
 * Returns a character class of exactly Sluice's word characters, written as ranges. PostgreSQL's own classes depend on
 * the locale of the database.
 */
function makeWordClass(): string {
  const ranges: string[] = []
  let from: number | undefined
  for (let code = 1; code <= MAX_CODE + 1; code++) {
    const isSurrogate = code >= 0xd800 && code <= 0xdfff
    const isWord = code <= MAX_CODE && !isSurrogate && isWordAt(String.fromCodePoint(code), 0)
    if (isWord) from ??= code
    else if (from !== undefined) {
      const [first, last] = [String.fromCodePoint(from), String.fromCodePoint(code - 1)]
      ranges.push(first === last ? first : `${first}-${last}`)
      from = undefined
    }
  }
  return ranges.join('')
}

let wordClass: string | undefined

/** The dialect of PostgreSQL, release 14 or later, in a database with UTF-8 encoding. */
export const postgres = defineDialect(generic, {
  name: 'postgres',
  identifier,
  maxNameBytes: 63,
  parameter,
  nullIs: 'largest',
  maxParameters: 30_000,
  arrayFrom: Infinity,
  functions: {
    /**
     * Compares strings by bytes, which is code point order. Not used for equality, because it would prevent the use of
     * indexes with other collations.
     */
    'in-bytes': template('{0} COLLATE "C"'),
    /** Compares strings by bytes, for columns whose own collation orders ASCII strings by bytes too. */
    'in-order': template('{0} COLLATE "C"'),
    'as-text': template('{0}::text COLLATE "C"'),
    uncollated: template('{0}::text COLLATE "C"'),
    'as-json': template('{0}::text'),
    'quoted-text': template('to_json({0})::text COLLATE "C"'),
    'text-of-json': template(`({0} #>> '{}')`),
    'is-json-number': template(`jsonb_typeof({0}) = 'number'`),
    'is-json-text': template(`jsonb_typeof({0}) = 'string'`),
    'json-of-number': template('{0}::jsonb'),
    'starts-with': template('starts_with({*})'),
    // With the C collation, `lower` converts only ASCII letters. The two letters beyond ASCII whose lower case is an
    // ASCII letter are translated separately.
    fold: template(`translate(lower({0}), 'İ\u212a', 'ik')`),
    'fold-to-ascii': template(`translate(lower({0}), 'İ\u212a', 'ik')`),
    matches: template('{0} ~ {1}'),
    /**
     * Tests whether a string may sort as a number or a time. Tests the first character before the regular expression,
     * which is much slower. A string with an `a` or a `c` can only be a hexadecimal number.
     */
    'may-rank': template(
      `({0} < ':' OR {0} >= 'I' AND {0} < 'J' OR {0} >= 'i' AND {0} < 'j')
  AND ({0} < '1' OR {0} NOT LIKE '%a%' AND {0} NOT LIKE '%c%') AND {0} ~ {1}`.replace(/\s+/g, ' '),
    ),
    // With the C collation, both operators ignore case for ASCII letters only.
    'matches-folded': template('{0} ~* {1}'),
    'like-folded': template('{0} ILIKE {1}'),
    like: template('{0} LIKE {1}'),
    'is-nan': template(`{0} = 'NaN'`),
    'as-wide': template('{0}::numeric'),
    'floor-time': template('{0} - ({0} % {1} + {1}) % {1}'),
    'ns-of-s': template('{0}::bigint * 1000000000'),
    'ns-of-ms': template('{0}::bigint * 1000000'),
    'ns-of-us': template('{0}::bigint * 1000'),
    'ns-of-time': template('(extract(epoch FROM {0}) * 1000000)::bigint * 1000'),
    'zoned-time': template('{0}::timestamptz'),
    'plain-time': template('{0}::timestamp'),
    'whole-of-text': template('({0})::bigint'),
    'without-nan': template("nullif({0}, 'NaN')"),
  },
  aggregates: {
    LIST: template('json_agg({*})'),
    QUANTILE: template('percentile_disc({1}) WITHIN GROUP (ORDER BY {0})'),
  },
  cannot: { 'window QUANTILE': 'its quantiles are of groups, not of windows' },
  foreign: {
    native,
    source,
    member: (column, path, holds, bind) => {
      const [last = '', ...before] = path.map(bind).toReversed()
      const holder = [column, ...before.toReversed()].join(' -> ')
      return `${holder} ${holds === 'json-text' ? '->>' : '->'} ${last}`
    },
    hasMemberOperators: true,
    hasOnlyPlainFullJoins: true,
    groupsByPosition: true,
    booleans: ['TRUE', 'FALSE'],
    // `i` and `k` are also the lower case of two letters beyond ASCII. For searched strings without `i` and `k`,
    // converting only ASCII is enough and faster.
    hasAsciiFold: true,
    foldExcept: /[^\0-\x7f]/,
    hasLike: true,
    anyOf: {
      from: 9,
      text: (values) => `{${values.map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`,
      bind: (position) => `$${position}::text[]`,
    },
    get wordClass() {
      return (wordClass ??= makeWordClass())
    },
    hasRe2: false,
    pattern: postgresPattern,
  },
})
