import { MAX_NS, MIN_NS } from '../../../base/index.ts'
import { field, rankOf, type DataType } from '../../../data/index.ts'
import type { Catalog, Scan, TableDefinition } from '../../../plan/index.ts'
import { sqlCall, sqlColumn, type OrderTerm, type SqlColumn, type SqlExpr } from '../statement/ast.ts'
import { bareBlock, CannotCompile, type QueryBlock, type Host } from '../block.ts'
import { scanned } from '../blocks/scanned.ts'
import { anything, cell, present, presentOrMissing, type Cell, type NativeTime } from '../cell.ts'
import type { CompileContext } from '../context.ts'
import type { Dialect, NativeType } from '../dialect.ts'
import { timeBound } from '../conditions/tests-on-numbers.ts'
import { plainTerm, readTerm } from '../order.ts'
import { UNIT_NS, type FieldMapping, type TableMapping, type TimeUnit } from './mapping.ts'

/** The type of a column in queries, by the kind of its database type. */
const typeOfKind: { readonly [K in NativeType['kind']]: DataType } = {
  text: 'string',
  other: 'string',
  integer: 'integer',
  wide: 'integer',
  float: 'number',
  bool: 'bool',
  time: 'time',
}

/**
 * Returns additional names of fields in queries: the given aliases, and the database name of each column unless the
 * name is already used.
 */
function aliasesOf({ time, fields }: TableMapping): ReadonlyMap<string, string> {
  const aliases = new Map(fields.flatMap((each) => each.aliases.map((alias) => [alias, each.name] as const)))
  const taken = new Set([time.field, ...aliases.keys(), ...fields.map(({ name }) => name)])
  const columns = fields.filter(({ path }) => path.length === 0)
  for (const { column, name } of [{ column: time.column, name: time.field }, ...columns])
    if (!taken.has(column)) aliases.set(column, name)
  return aliases
}

/** Returns the definition of a table that queries see. `typeOf` returns the type of a field. */
export function tableDefinition(mapping: TableMapping, typeOf: (of: FieldMapping) => DataType): TableDefinition {
  const { name, time, fields, attributes, textField, streamFields, domain = 'logs' } = mapping
  const declared = fields.map((each) => field(each.name, typeOf(each), 'dynamic'))
  return {
    name,
    schema: { fields: [field(time.field, 'time', 'dynamic'), ...declared], isOpen: attributes.length > 0 },
    timeField: time.field,
    ...(textField === undefined ? {} : { textField }),
    aliases: aliasesOf(mapping),
    streamFields,
    domain,
  }
}

/** Returns the definition of a table that queries see. Field types follow from the database's column types. */
export function definitionOf(mapping: TableMapping, { foreign }: Dialect): TableDefinition {
  return tableDefinition(mapping, ({ unit, nativeType, holds, path }) => {
    if (unit !== undefined) return 'time'
    if (path.length > 0 && holds === 'json') return 'any'
    if (path.length > 0 && holds === 'map') return 'string'
    const native = foreign?.native(nativeType) ?? { kind: 'other' }
    return native.kind === 'text' && native.isJson === true ? 'json' : typeOfKind[native.kind]
  })
}

/** Returns the definitions of the tables that queries see. The first table is the default one. */
export function catalogOf(mappings: readonly TableMapping[], dialect: Dialect): Catalog {
  const tables = new Map(mappings.map((mapping) => [mapping.name, definitionOf(mapping, dialect)]))
  return { tables, defaultTable: mappings[0]?.name ?? '' }
}

function timeCell(sql: SqlExpr, native: NativeType, unit: TimeUnit, isNullable: boolean): Cell | undefined {
  const facts = isNullable ? presentOrMissing : present
  const made = (ns: SqlExpr, kept: NativeTime): Cell => ({ ...cell(ns, 'time', facts), native: kept })
  const unitNs = UNIT_NS[unit]
  if (unitNs !== undefined) {
    const ns = unitNs === 1n ? sql : sqlCall(`ns-of-${unit}`, sql)
    return made(ns, { sql, unitNs, make: undefined })
  }
  if (unit === 'timestamp' && native.kind === 'time') {
    return made(sqlCall(native.toNs, sql), { sql, unitNs: native.unitNs, make: native.make, spell: native.spell })
  }
  if (unit === 'text') return cell(sqlCall('ns-of-text', sql), 'time', presentOrMissing)
  return undefined
}

function valueCell(sql: SqlExpr, native: NativeType, isNullable: boolean, isCollated: boolean): Cell {
  const numbers = isNullable ? presentOrMissing : present
  const text = { ...anything, hasMissing: isNullable }
  switch (native.kind) {
    case 'text': {
      const { values, read = isCollated ? 'uncollated' : undefined, isCoded = false, isJson = false } = native
      const made = read === undefined ? sql : sqlCall(read, sql)
      if (values === undefined)
        return cell(made, 'text', {
          ...text,
          ...(isCoded ? { isCoded } : {}),
          ...(isJson ? { isJsonText: isJson } : {}),
        })
      return cell(made, 'text', {
        hasMissing: isNullable,
        hasEmpty: values.includes(''),
        hasUnfolded: true,
        hasOddFold: true,
        ranked: values.filter((value) => rankOf(value).rank < 2),
        isEnum: read === undefined,
        values,
      })
    }
    case 'integer':
      return cell(sql, 'number', { ...numbers, number: 'integer', isNarrow: native.isNarrow === true })
    case 'wide':
      return cell(sql, 'number', { ...numbers, number: 'wide' })
    case 'float':
      return cell(native.read === undefined ? sql : sqlCall(native.read, sql), 'number', {
        ...numbers,
        number: 'float',
      })
    case 'bool':
      return cell(sql, 'bool', numbers)
    case 'time':
      return timeCell(sql, native, 'timestamp', isNullable) ?? cell(sql, 'any')
    case 'other':
      return cell(sqlCall('as-text', sql), 'text', text)
  }
}

/** True if the database compares a column's strings by a collation instead of by bytes. */
export function isCollated({ collated }: TableMapping, column: string): boolean {
  return collated?.includes(column) === true
}

/**
 * Compiles a member of a map, which is a string, or of a JSON column, whose type differs from row to row. If the column
 * has a collation, no statement may compare strings of its JSON.
 */
export function memberCell(
  member: SqlColumn,
  holds: 'map' | 'json',
  { foreign, functions }: Dialect,
  isCollated: boolean,
): Cell {
  if (holds === 'json') return cell({ ...member, holds }, 'any', { ...anything, isJson: !isCollated })
  const text: SqlColumn = { ...member, holds: foreign?.hasEmptyMembers === true ? 'maybe-map' : holds }
  const read = isCollated ? 'uncollated' : 'in-bytes'
  return cell(functions[read] === undefined ? text : sqlCall(read, text), 'text')
}

function fieldCellOf(mapping: TableMapping, each: FieldMapping, alias: string, context: CompileContext): Cell {
  const { column, path, nativeType, isNullable, unit, holds = 'struct' } = each
  const isCompared = isCollated(mapping, column)
  if (path.length > 0 && holds !== 'struct' && unit === undefined) {
    return memberCell({ ...sqlColumn(alias, column), path }, holds, context.dialect, isCompared)
  }
  const sql: SqlColumn = path.length === 0 ? sqlColumn(alias, column) : { ...sqlColumn(alias, column), path, holds }
  const native = context.dialect.foreign?.native(nativeType) ?? { kind: 'other' }
  const time = unit === undefined ? undefined : timeCell(sql, native, unit, isNullable)
  if (time !== undefined) return time
  const made = valueCell(sql, native, isNullable || path.length > 0, isCompared)
  const hasTrigrams = mapping.words?.kind === 'trigram' && each.name === mapping.textField
  return hasTrigrams ? { ...made, facts: { ...made.facts, hasTrigrams } } : made
}

/** End of the times that fit in 32-bit seconds since 1970. Later times would wrap around in 32-bit types. */
const MAX_FLOOR_NS = 2n ** 32n * 1_000_000_000n

/**
 * Compiles the time range to conditions on a column of rounded times. They hold for every row of the exact range, so
 * they only skip data.
 */
function floorRange(
  { time: { floor } }: TableMapping,
  alias: string,
  { startNs, endNs }: Scan['range'],
  { foreign }: Dialect,
): readonly SqlExpr[] {
  if (floor === undefined || startNs < 0n || endNs > MAX_FLOOR_NS) return []
  const native = foreign?.native(floor.nativeType) ?? { kind: 'other' }
  const at = timeCell(sqlColumn(alias, floor.column), native, floor.unit, false)
  if (at?.native === undefined) return []
  return [timeBound(at, '>=', startNs - (startNs % at.native.unitNs)), timeBound(at, '<', endNs)]
}

/** Compiles a scan of a table. Rows are ordered by time, newest first, then by the columns that break ties. */
export function foreignScan(node: Scan, context: CompileContext, mapping: TableMapping, host: Host): QueryBlock {
  const alias = context.alias('t')
  const { time, attributes } = mapping
  const native = context.dialect.foreign?.native(time.nativeType) ?? { kind: 'other' }
  const at = timeCell(sqlColumn(alias, time.column), native, time.unit, time.isNullable)
  if (at === undefined || (time.unit === 'text' && context.dialect.functions['ns-of-text'] === undefined)) {
    throw new CannotCompile(node, `times in a column of ${time.nativeType} are read one by one`)
  }
  const { startNs, endNs } = node.range
  const isBounded = startNs !== MIN_NS && endNs !== MAX_NS
  const timed = isBounded ? { ...at, facts: { ...at.facts, within: node.range } } : at
  const fields = new Map<string, Cell>([[time.field, timed]])
  for (const each of mapping.fields) fields.set(each.name, fieldCellOf(mapping, each, alias, context))
  const text = mapping.words?.kind === 'text' ? fields.get(mapping.textField ?? '') : undefined
  if (text?.form === 'text') fields.set(mapping.textField ?? '', { ...text, hasWords: true })
  const ties = mapping.tieBreak.map((column): OrderTerm => {
    const found = mapping.fields.find((each) => each.column === column && each.path.length === 0)
    const read = found === undefined ? {} : readTerm(fieldCellOf(mapping, found, alias, context))
    const expr = sqlColumn(alias, column)
    const exact = isCollated(mapping, column) ? sqlCall('uncollated', expr) : expr
    return { expr: exact, direction: 'desc', mayBeNull: false, ...read }
  })
  const order: readonly OrderTerm[] = [plainTerm(at, 'desc'), ...ties]
  const range: SqlExpr[] = []
  if (startNs !== MIN_NS) range.push(timeBound(at, '>=', startNs))
  if (endNs !== MAX_NS) range.push(timeBound(at, '<', endNs))
  range.unshift(...floorRange(mapping, alias, node.range, context.dialect))
  const whole: QueryBlock = {
    ...bareBlock,
    host,
    source: { kind: 'derived', from: { kind: 'foreign', source: mapping.source, alias, scan: node } },
    where: range,
    fields,
    rest:
      attributes.length === 0
        ? undefined
        : { parts: attributes.map(({ column }) => sqlColumn(alias, column)), hidden: [] },
    order,
    record: undefined,
  }
  return scanned(node, whole)
}
