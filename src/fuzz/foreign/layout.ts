import { formatRfc3339, type Random } from '../../base/index.ts'
import type { AttributeMapping, FieldMapping, TimeUnit } from '../../backends/sql/index.ts'
import {
  Instant,
  isNumberText,
  JsonText,
  float,
  integer,
  toText,
  type DataType,
  type MutableRow,
  type StoredRow,
  type Value,
} from '../../data/index.ts'
import { fieldNames, levels, workloads } from '../dataset.ts'
import type { ColumnKind, PhysicalColumn, StoredValue, Testbed } from './testbed.ts'

/** The values of the enums in test tables. */
export const enumTexts: readonly string[] = [...new Set([...levels, ...workloads, 'shop', 'pay', 'Shop'])]

/** Column names that are likely to reveal quoting bugs. */
const awkwardNames = [
  'we"ird',
  'semi;colon',
  'Select',
  '--x',
  'ä ö',
  '100%s',
  `it's`,
  'back\\slash',
  '$1',
  'a.b',
  '`tick`',
  '{c:String}',
] as const

/** Where and how a table stores a field of the rows. */
interface FieldStorage {
  readonly field: string
  readonly kind: ColumnKind
  /** Column name; `undefined` if the field is a member of the attributes column. */
  readonly column: string | undefined
  /** False for the few columns with a NOT NULL constraint. */
  readonly isNullable: boolean
}

/** Layout of a table with the rows of the fuzz data. */
export interface Layout {
  readonly timeKind: ColumnKind
  readonly timeColumn: string
  readonly storages: readonly FieldStorage[]
  readonly attributes: readonly { readonly kind: 'map' | 'json'; readonly column: string }[]
  readonly tieBreak: string
}

const timeKinds = ['time-type', 'time-s', 'time-ms', 'time-us', 'time-ns', 'time-text'] as const

function kindsOf(field: string): readonly ColumnKind[] {
  switch (field) {
    case 'level':
    case 'workload':
    case 'namespace':
      return ['text', 'enum', 'enum', 'map', 'json']
    case 'status':
      return ['integer', 'integer', 'double', 'text', 'json']
    case 'duration_ms':
      return ['double', 'double', 'text', 'map', 'json']
    case 'content':
      return ['text']
    default:
      return ['text', 'text', 'double', 'integer', 'bool', 'map', 'map', 'json', 'json']
  }
}

/** Draws a layout. Equal seeds and engines give equal layouts. */
export function drawLayout(random: Random, types: Testbed['types']): Layout {
  const has = (kind: ColumnKind): boolean => types[kind] !== undefined
  const names = [...awkwardNames].filter(() => random.next() < 0.5)
  const columnOf = (field: string): string => (random.next() < 0.3 ? (names.pop() ?? field) : field)
  const storages = fieldNames.map((field): FieldStorage => {
    const kind = random.pick(kindsOf(field).filter(has))
    const isMember = kind === 'map' || kind === 'json'
    return {
      field,
      kind,
      column: isMember ? undefined : columnOf(field),
      isNullable: kind === 'enum' || random.next() < 0.8,
    }
  })
  const attributes = (['map', 'json'] as const)
    .filter((kind) => storages.some((storage) => storage.kind === kind))
    .map((kind) => ({ kind, column: columnOf(kind === 'map' ? 'attributes' : 'body') }))
  return {
    timeKind: random.pick(timeKinds.filter(has)),
    timeColumn: columnOf('at'),
    storages,
    attributes,
    tieBreak: 'seq',
  }
}

const unitNs: Readonly<Record<string, bigint>> = {
  'time-s': 1_000_000_000n,
  'time-ms': 1_000_000n,
  'time-us': 1_000n,
  'time-ns': 1n,
  'time-text': 1n,
}

const units: Readonly<Record<string, TimeUnit>> = {
  'time-s': 's',
  'time-ms': 'ms',
  'time-us': 'us',
  'time-ns': 'ns',
  'time-text': 'text',
  'time-type': 'timestamp',
}

export function unitOf(kind: ColumnKind): TimeUnit {
  const unit = units[kind]
  if (unit === undefined) throw new Error(`${kind} holds no times`)
  return unit
}

const types: { readonly [K in ColumnKind]?: DataType } = {
  text: 'string',
  enum: 'string',
  double: 'number',
  integer: 'integer',
  bool: 'bool',
}

function floorTo(ns: bigint, stepNs: bigint): bigint {
  const rest = ((ns % stepNs) + stepNs) % stepNs
  return ns - rest
}

/**
 * Writes a time in one of the ways in which programs fill time columns: with a blank or a T, with or without a zone.
 */
function timeText(ns: bigint): string {
  const text = formatRfc3339(ns)
  switch (ns % 5n) {
    case 0n:
      return text.replace('T', ' ').replace('Z', '')
    case 1n:
      return text.replace('Z', '')
    case 2n:
      return text.replace('T', ' ')
    default:
      return text
  }
}

function storedTime(kind: ColumnKind, ns: bigint): StoredValue {
  if (kind === 'time-text') return timeText(ns)
  if (kind === 'time-type') return formatRfc3339(ns)
  return ns / (unitNs[kind] ?? 1n)
}

/** Value that a column stores, and the value that a query reads back. */
interface Kept {
  readonly stored: StoredValue
  readonly read: Value
}

const nothing: Kept = { stored: null, read: null }

function keptText(value: Value): Kept {
  const text = toText(value).toWellFormed()
  return { stored: text, read: text }
}

function kept(kind: ColumnKind, value: Value, types: Testbed['types']): Kept {
  if (value === null) return nothing
  switch (kind) {
    case 'text':
      return keptText(value)
    case 'enum':
      return typeof value === 'string' && enumTexts.includes(value) ? { stored: value, read: value } : nothing
    case 'double': {
      if (typeof value !== 'number' && typeof value !== 'bigint') return nothing
      const number = Number(value)
      if (Number.isNaN(number) && types.double?.hasNaN !== true) return nothing
      return { stored: number, read: float(number) }
    }
    case 'integer': {
      if (typeof value !== 'bigint' && !Number.isInteger(value)) return nothing
      const whole = BigInt(value as number | bigint)
      return BigInt.asIntN(64, whole) === whole ? { stored: whole, read: integer(whole) } : nothing
    }
    case 'bool':
      return typeof value === 'boolean' ? { stored: value, read: value } : nothing
    default:
      throw new Error(`${kind} is not a column of one field`)
  }
}

/** Returns a default for a NOT NULL column, for a row without a value. */
function filled(kind: ColumnKind): Kept {
  switch (kind) {
    case 'double':
    case 'integer':
      return { stored: kind === 'integer' ? 0n : 0, read: 0 }
    case 'bool':
      return { stored: false, read: false }
    default:
      return { stored: '', read: '' }
  }
}

/** Writes a number as JSON, for some rows with more digits than needed. */
function jsonNumber(number: number, isLong: boolean): string {
  const text = JSON.stringify(number)
  if (!isLong || text.includes('e')) return text
  return text.includes('.') ? `${text}00` : `${text}.0`
}

/** Returns a member of a JSON column: its JSON text and the value that is read back. */
function jsonMember(
  value: Value,
  isLong: boolean,
  written: (json: string) => string,
): { readonly json: string; readonly read: Value } {
  if (typeof value === 'number' && Number.isFinite(value)) {
    const number = float(value)
    return { json: jsonNumber(number, isLong), read: number }
  }
  if (typeof value === 'boolean') return { json: String(value), read: value }
  if (value instanceof JsonText) {
    // A database returns the number without its original text.
    const read = isNumberText(value.json) ? float(Number(value.json)) : new JsonText(written(value.json))
    return { json: value.json, read }
  }
  const text = toText(value).toWellFormed()
  return { json: JSON.stringify(text), read: text }
}

/** Rows as a table stores them, and as queries see them. */
export interface Laid {
  readonly columns: readonly PhysicalColumn[]
  readonly physical: readonly (readonly StoredValue[])[]
  readonly seen: readonly StoredRow[]
}

export function lay(rows: readonly StoredRow[], layout: Layout, types: Testbed['types']): Laid {
  const { timeKind, timeColumn, storages, attributes, tieBreak } = layout
  const own = storages.filter(({ column }) => column !== undefined)
  const columns: PhysicalColumn[] = [
    { name: timeColumn, kind: timeKind, isNullable: false },
    ...own.map(({ column, kind, isNullable }) => ({ name: column ?? '', kind, isNullable })),
    ...attributes.map(({ kind, column }) => ({ name: column, kind, isNullable: false })),
    { name: tieBreak, kind: 'integer', isNullable: false },
  ]
  const stepNs = types[timeKind]?.stepNs ?? unitNs[timeKind] ?? 1n
  const physical: StoredValue[][] = []
  const seen: StoredRow[] = []
  for (const [sequence, { timeNs, row }] of rows.entries()) {
    const cutNs = floorTo(timeNs, stepNs)
    const read: MutableRow = new Map<string, Value>([['_time', new Instant(cutNs)]])
    const values: StoredValue[] = [storedTime(timeKind, cutNs)]
    const members = { map: [] as string[], json: [] as string[] }
    for (const { field, kind, column, isNullable } of storages) {
      const value = row.get(field) ?? null
      if (column === undefined) {
        if (value === null) continue
        if (kind === 'map') {
          const text = toText(value).toWellFormed()
          members.map.push(`${JSON.stringify(field)}:${JSON.stringify(text)}`)
          read.set(field, text)
        } else {
          const member = jsonMember(value, sequence % 3 === 0, types.json?.written ?? ((json) => json))
          members.json.push(`${JSON.stringify(field)}:${member.json}`)
          read.set(field, member.read)
        }
        continue
      }
      const found = kept(kind, value, types)
      const whole = found.stored === null && !isNullable ? filled(kind) : found
      values.push(whole.stored)
      if (whole.read !== null) read.set(field, whole.read)
    }
    for (const { kind } of attributes) values.push(`{${members[kind].join(',')}}`)
    physical.push([...values, BigInt(sequence)])
    seen.push({ timeNs: cutNs, sequence, row: read })
  }
  return { columns, physical, seen }
}

/**
 * Parts of the table mapping that the layout decides. `nativeType` returns the type of a column as the engine reports
 * it.
 */
export function mappedFields(layout: Layout, nativeType: (column: string) => string): readonly FieldMapping[] {
  const holders = new Map<ColumnKind, string>(layout.attributes.map(({ kind, column }) => [kind, column]))
  return layout.storages.flatMap(({ field, kind, column, isNullable }): readonly FieldMapping[] => {
    const holds = kind === 'map' || kind === 'json' ? kind : undefined
    // The mapping declares some members of the attributes column as fields.
    if (holds !== undefined && isNullable) return []
    const own = column ?? holders.get(kind) ?? ''
    return [
      {
        name: field,
        column: own,
        path: holds === undefined ? [] : [field],
        ...(holds === undefined ? {} : { holds }),
        type: types[kind] ?? 'any',
        nativeType: nativeType(own),
        isNullable: isNullable || holds !== undefined,
        aliases: [],
      },
    ]
  })
}

export function mappedAttributes({ attributes }: Layout): readonly AttributeMapping[] {
  return attributes.map(({ kind, column }) => ({ kind, column, prefix: '' }))
}
