import type { DataType } from '../data/index.ts'
import type { EngineName } from './words.ts'

/** The ways in which a column of a type can be used. */
export interface NativeType {
  /** The types that the catalog may declare for the column; the first is the default. */
  readonly types: readonly DataType[]
  /** The structure of columns that contain several named fields; `undefined` for other columns. */
  readonly attributes: 'map' | 'json' | 'struct' | undefined
  /**
   * The form in which the column can hold times: a time type, a number since 1970, or a string. `undefined` if it
   * cannot.
   */
  readonly time: 'timestamp' | 'number' | 'text' | undefined
}

const text: NativeType = { types: ['string', 'any'], attributes: undefined, time: 'text' }
const name: NativeType = { types: ['string', 'any'], attributes: undefined, time: undefined }
const integer: NativeType = { types: ['integer', 'number', 'any'], attributes: undefined, time: 'number' }
const number: NativeType = { types: ['number', 'any'], attributes: undefined, time: 'number' }
const bool: NativeType = { types: ['bool', 'any'], attributes: undefined, time: undefined }
const time: NativeType = { types: ['time', 'any'], attributes: undefined, time: 'timestamp' }
const list: NativeType = { types: ['json', 'any'], attributes: undefined, time: undefined }
/** Columns of all other types can be used if their values can be converted to a string. */
const other: NativeType = { types: ['any', 'string'], attributes: undefined, time: undefined }

function holder(attributes: 'map' | 'json' | 'struct'): NativeType {
  return { types: ['json', 'any'], attributes, time: undefined }
}

type Rules = readonly (readonly [RegExp, NativeType])[]

const duckdb: Rules = [
  [/\[\d*\]$/, list],
  [/^(VARCHAR|TEXT|STRING|CHAR)/, text],
  [/^(ENUM|UUID)/, name],
  [/^(U?TINYINT|U?SMALLINT|U?INTEGER|U?BIGINT|INT\d*)$/, integer],
  [/^(DOUBLE|FLOAT|REAL|DECIMAL|NUMERIC)/, number],
  [/^BOOL/, bool],
  [/^(TIMESTAMP|DATE$)/, time],
  [/^MAP/, holder('map')],
  [/^STRUCT/, holder('struct')],
  [/^JSON$/, holder('json')],
]

const clickhouse: Rules = [
  [/^(String|FixedString)/, text],
  [/^(Enum|UUID|IPv[46])/, name],
  [/^U?Int(8|16|32|64)$/, integer],
  [/^(Float|BFloat|Decimal)/, number],
  [/^Bool$/, bool],
  [/^Date/, time],
  [/^Map\(/, holder('map')],
  [/^(JSON|Object)/, holder('json')],
  [/^(Array|Nested|Tuple)/, list],
]

const postgres: Rules = [
  [/\[\]$/, list],
  [/^(text|character|varchar|bpchar|citext|name)/, text],
  [/^(ENUM\(|uuid|inet|cidr|macaddr)/, name],
  [/^(smallint|integer|bigint|int[248])/, integer],
  [/^(real|double|float|numeric)/, number],
  [/^bool/, bool],
  [/^(timestamp|date$)/, time],
  [/^jsonb?$/, holder('json')],
  [/^hstore$/, holder('map')],
]

/** SQLite stores any value in any column, so the declared type says little; the values must be inspected. */
const sqlite: Rules = [
  [/^JSONB?$/i, { ...holder('json'), types: ['any', 'json'] }],
  [/BOOL/i, { ...other, types: ['any', 'bool'] }],
  [/INT/i, { ...integer, types: ['any', 'integer', 'number'] }],
  [/(CHAR|CLOB|TEXT)/i, { ...text, types: ['any', 'string'] }],
  [/(REAL|FLOA|DOUB|NUM|DEC)/i, { ...number, types: ['any', 'number'] }],
  [/(DATE|TIME)/i, { types: ['any', 'string', 'integer', 'number'], attributes: undefined, time: 'text' }],
]

const rules: Readonly<Record<EngineName, Rules>> = { duckdb, clickhouse, postgres, sqlite }

/** Removes modifiers for encoding and nullability from a type name, such as `Nullable(…)`. */
function bare(type: string): string {
  const inner = /^(?:Nullable|LowCardinality|SimpleAggregateFunction\(\w+,)\s*\(?(.*)\)$/.exec(type)?.[1]
  return inner === undefined ? type : bare(inner.trim())
}

/** Returns the ways in which a column type can be used. `type` is the name that the database gives it. */
export function nativeType(engine: EngineName, type: string): NativeType {
  const known = bare(type.trim())
  return rules[engine].find(([pattern]) => pattern.test(known))?.[1] ?? other
}
