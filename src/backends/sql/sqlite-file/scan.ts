import { MAX_NS, MIN_NS, formatRfc3339 } from '../../../base/index.ts'
import type { Scan } from '../../../plan/index.ts'
import { bound, compare, hostCall, sqlCall, sqlColumn, type OrderTerm, type SqlExpr } from '../ast.ts'
import { bareBlock, CannotCompile, type Block } from '../block.ts'
import { scanned } from '../blocks/scanned.ts'
import { cell, present, presentOrMissing, type Cell } from '../cell.ts'
import type { CompileContext } from '../context.ts'
import type { FieldMapping, TableMapping, TimeMapping } from '../foreign/mapping.ts'
import { columnOf } from './host.ts'
import { markIndexed } from './words.ts'

const UNIT_NS: Readonly<Record<string, bigint>> = { s: 1_000_000_000n, ms: 1_000_000n, us: 1_000n, ns: 1n }
const DAY_NS = 86_400_000_000_000n

function floorDiv(ns: bigint, unitNs: bigint): bigint {
  return ns / unitNs - (ns % unitNs < 0n ? 1n : 0n)
}

/**
 * The range as comparisons of the column itself, which an index on it answers; they leave out no row of the range. Whether
 * a row lies in it is asked of the time behind them.
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
  // A date in another zone differs by less than a day.
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

function fieldCellOf({ column, path, unit, type }: FieldMapping, alias: string): Cell {
  const sql = sqlColumn(alias, column)
  if (path.length > 0) return cell(hostCall('host-member', { kind: 'member', path }, sql), 'any')
  if (unit !== undefined) return cell(sqlCall('host-unix', sql, bound(unit)), 'time', presentOrMissing)
  return cell(sqlCall(type === 'bool' ? 'host-bool' : 'host-native', sql), 'any')
}

/** Reads one table of a file: rows by time, newest first, then by the columns that break ties, then the latest stored. */
export function fileScan(node: Scan, context: CompileContext, mappings: ReadonlyMap<string, TableMapping>): Block {
  const mapping = mappings.get(node.table)
  if (mapping === undefined || mapping.source.kind !== 'table')
    throw new CannotCompile(node, `the table \`${node.table}\` is not mapped here`)
  if (context.needsRecord) throw new CannotCompile(node, 'its rows have nothing that a sample goes by')
  const alias = context.alias('t')
  const { time, attributes, source } = mapping
  const column = sqlColumn(alias, time.column)
  const timeNs = sqlCall('host-unix', column, bound(time.unit))
  const { startNs, endNs } = node.range
  const isBounded = startNs !== MIN_NS || endNs !== MAX_NS
  const at = cell(timeNs, 'time', isBounded ? present : presentOrMissing)
  const fields = new Map<string, Cell>([[time.field, at]])
  for (const each of mapping.fields) fields.set(each.name, fieldCellOf(each, alias))
  const text = mapping.textField === undefined ? undefined : fields.get(mapping.textField)
  const textColumn = text && columnOf(text)
  if (mapping.words?.kind === 'fts5' && textColumn !== undefined)
    markIndexed(textColumn, { words: mapping.words, table: source.path.at(-1) ?? '', alias, scan: node })
  const names = [...fields.keys()]
  const range: SqlExpr[] = [...nativeRange(column, time, node.range)]
  if (startNs !== MIN_NS) range.push(compare(timeNs, '>=', bound(startNs)))
  if (endNs !== MAX_NS) range.push(compare(timeNs, '<', bound(endNs)))
  const order: readonly OrderTerm[] = [
    { expr: timeNs, direction: 'desc', mayBeNull: !isBounded },
    ...mapping.tieBreak.map((each): OrderTerm => ({
      expr: sqlColumn(alias, each),
      direction: 'desc',
      mayBeNull: true,
    })),
  ]
  const rest: SqlExpr = hostCall(
    'host-rest',
    { kind: 'rest', prefixes: attributes.map(({ prefix }) => prefix), declared: names },
    ...attributes.map((each) => sqlColumn(alias, each.column)),
  )
  const whole: Block = {
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
