import { DAY_NS, MAX_NS, MIN_NS, formatRfc3339 } from '../../../base/index.ts'
import type { Scan } from '../../../plan/index.ts'
import { bound, compare, hostCall, sqlCall, sqlColumn, type OrderTerm, type SqlExpr } from '../statement/ast.ts'
import { bareBlock, CannotCompile, type QueryBlock } from '../block.ts'
import { scanned } from '../blocks/scanned.ts'
import { anything, cell, present, presentOrMissing, type Cell } from '../cell.ts'
import type { CompileContext } from '../context.ts'
import { UNIT_NS, type FieldMapping, type TableMapping, type TimeMapping } from '../foreign/mapping.ts'
import { plainTerm } from '../order.ts'
import { timeBound } from '../conditions/tests-on-numbers.ts'
import { columnOf } from './host.ts'
import type { TableKnowledge } from './knowledge.ts'
import { markIndexed } from './words.ts'

function floorDiv(ns: bigint, unitNs: bigint): bigint {
  return ns / unitNs - (ns % unitNs < 0n ? 1n : 0n)
}

/**
 * Compiles the time range to comparisons of the bare column, which can use an index. They hold for every row of the
 * exact range; other conditions test the converted time exactly.
 */
function nativeRange(column: SqlExpr, { unit }: TimeMapping, { startNs, endNs }: Scan['range']): readonly SqlExpr[] {
  const unitNs = UNIT_NS[unit]
  if (unitNs !== undefined) {
    const low = floorDiv(startNs, unitNs)
    const high = floorDiv(endNs, unitNs) + 1n
    return [
      ...(startNs === MIN_NS ? [] : [compare(column, '>=', bound(low))]),
      ...(endNs === MAX_NS ? [] : [compare(column, '<=', bound(high))]),
    ]
  }
  // Dates in different zones differ by less than a day, so the range of dates is extended by a day or two.
  const day = (ns: bigint): string | undefined => {
    const text = ns <= MIN_NS + 2n * DAY_NS || ns >= MAX_NS - 3n * DAY_NS ? undefined : formatRfc3339(ns, true)
    return text?.slice(0, 10)
  }
  const low = day(startNs - DAY_NS)
  const high = day(endNs + 2n * DAY_NS)
  return [
    ...(low === undefined ? [] : [compare(column, '>=', bound(low))]),
    ...(high === undefined ? [] : [compare(column, '<', bound(high))]),
  ]
}

function fieldCellOf(
  { column, path, unit, type }: FieldMapping,
  alias: string,
  known: TableKnowledge | undefined,
): Cell {
  const sql = sqlColumn(alias, column)
  const own = path.length > 0 || unit !== undefined || type === 'bool' ? undefined : known?.columns.get(column)
  if (own !== undefined) return cell(sql, own.kind === 'text' ? 'text' : 'number', own.facts)
  if (path.length > 0) return cell(hostCall('host-member', { kind: 'member', path }, sql), 'any')
  if (unit !== undefined) return cell(sqlCall('host-unix', sql, bound(unit)), 'time', presentOrMissing)
  return cell(sqlCall(type === 'bool' ? 'host-bool' : 'host-native', sql), 'any')
}

/** Returns the time of all rows of a table without a time column, which is a constant. */
function arrivalTime(ns: bigint): Cell {
  return {
    ...cell(bound(ns), 'time', { ...present, isNear: true }),
    native: { sql: bound(ns), unitNs: 1n, make: undefined },
  }
}

/**
 * Returns the time as the column stores it, if the column has whole numbers that fit in 64 bits as nanoseconds;
 * otherwise `undefined`.
 */
function plainTime(sql: SqlExpr, { column, unit }: TimeMapping, known: TableKnowledge | undefined): Cell | undefined {
  const own = known?.columns.get(column)
  const unitNs = UNIT_NS[unit]
  if (own?.kind !== 'integer' || !own.isNear || unitNs === undefined) return undefined
  const facts = { ...(own.facts.hasMissing ? presentOrMissing : present), isNear: true }
  const ns = unitNs === 1n ? sql : sqlCall(`ns-of-${unit}`, sql)
  return { ...cell(ns, 'time', facts), native: { sql, unitNs, make: undefined } }
}

/**
 * Compiles the scan of a table of a SQLite file. Rows are ordered by time, newest first, then by the columns that break
 * ties, then by descending row id.
 */
export function fileScan(
  node: Scan,
  context: CompileContext,
  mappings: ReadonlyMap<string, TableMapping>,
  knowledge: ReadonlyMap<string, TableKnowledge>,
): QueryBlock {
  const mapping = mappings.get(node.table)
  if (mapping === undefined || mapping.source.kind !== 'table')
    throw new CannotCompile(node, `the table \`${node.table}\` is not mapped here`)
  if (context.needsRecord) throw new CannotCompile(node, 'its rows have nothing that a sample goes by')
  const alias = context.alias('t')
  const { time, attributes, source } = mapping
  const column = sqlColumn(alias, time.column)
  const known = knowledge.get(node.table)
  const { startNs, endNs } = node.range
  const isBounded = startNs !== MIN_NS || endNs !== MAX_NS
  const plain = source.arrivalNs === undefined ? plainTime(column, time, known) : arrivalTime(source.arrivalNs)
  const at =
    plain ?? cell(sqlCall('host-unix', column, bound(time.unit)), 'time', isBounded ? present : presentOrMissing)
  const fields = new Map<string, Cell>([[time.field, at]])
  for (const each of mapping.fields) fields.set(each.name, fieldCellOf(each, alias, known))
  const text = mapping.textField === undefined ? undefined : fields.get(mapping.textField)
  const textColumn = text && columnOf(text)
  if (mapping.textField !== undefined && textColumn !== undefined && known?.hasNoOdd === true) {
    const facts = text?.form === 'text' ? text.facts : anything
    fields.set(mapping.textField, cell(textColumn, 'text', { ...facts, hasOddFold: false, isAscii: true }))
  }
  if (mapping.words?.kind === 'fts5' && textColumn !== undefined)
    markIndexed(textColumn, {
      words: mapping.words,
      table: source.path.at(-1) ?? '',
      alias,
      scan: node,
      hasNoOdd: known?.hasNoOdd === true,
      timeColumn: plain === undefined || source.arrivalNs !== undefined ? undefined : time.column,
    })
  const names = [...fields.keys()]
  const range: SqlExpr[] = plain === undefined ? [...nativeRange(column, time, node.range)] : []
  if (startNs !== MIN_NS) range.push(timeBound(at, '>=', startNs))
  if (endNs !== MAX_NS) range.push(timeBound(at, '<', endNs))
  const order: readonly OrderTerm[] = [
    { ...plainTerm(at, 'desc'), mayBeNull: at.facts.hasMissing && !isBounded },
    ...mapping.tieBreak.map((each): OrderTerm => ({
      expr: sqlCall('uncollated', sqlColumn(alias, each)),
      direction: 'desc',
      mayBeNull: known?.columns.get(each)?.facts.hasMissing !== false,
    })),
  ]
  const rest: SqlExpr = hostCall(
    'host-rest',
    { kind: 'rest', prefixes: attributes.map(({ prefix }) => prefix), declared: names },
    ...attributes.map((each) => sqlColumn(alias, each.column)),
  )
  const whole: QueryBlock = {
    ...bareBlock,
    host: context.host,
    source: {
      kind: 'derived',
      from: { kind: 'table', table: source.path.at(-1) ?? '', alias, scan: node },
    },
    where: range,
    fields,
    rest: attributes.length === 0 ? undefined : { parts: [rest], hidden: [] },
    order,
    record: undefined,
  }
  return scanned(node, whole)
}
