import { MAX_NS, MIN_NS } from '../../base/index.ts'
import { own, type WordQuery } from '../../store/sqlite/index.ts'
import {
  aggregate,
  bound,
  compare,
  sqlCall,
  sqlColumn,
  type OrderTerm,
  type Select,
  type SelectColumn,
  type Source,
  type SqlExpr,
} from './ast.ts'
import type { Base } from './base.ts'
import type { Block } from './block.ts'
import { wordRows } from './cell-test.ts'
import type { CompileContext } from './context.ts'
import { refine } from './order.ts'
import { parts, reads } from './walk.ts'

/** The limits of the scan's range as conditions on a table's own times. */
function rangeOnTimes({ alias, scan: { range } }: Base): SqlExpr[] {
  const timeNs = sqlColumn(alias, own.timeNs)
  const conditions: SqlExpr[] = []
  if (range.startNs !== MIN_NS) conditions.push(compare(timeNs, '>=', bound(range.startNs)))
  if (range.endNs !== MAX_NS) conditions.push(compare(timeNs, '<', bound(range.endNs)))
  return conditions
}

/** The id of the first row at or after a time, or of the last one before it. */
function position(base: Base, context: CompileContext, op: '>=' | '<', ns: bigint): SqlExpr {
  const alias = context.alias('p')
  const direction = op === '<' ? 'desc' : 'asc'
  const timeNs = sqlColumn(alias, own.timeNs)
  const id = sqlColumn(alias, own.id)
  const select: Select = {
    kind: 'select',
    columns: [{ expr: id, name: 'id' }],
    from: { kind: 'position', table: base.layout.table, alias, scan: base.scan },
    where: [compare(timeNs, op, bound(ns))],
    groupBy: undefined,
    having: [],
    orderBy: [timeNs, id].map((expr) => ({ expr, direction, mayBeNull: false })),
    limit: 1,
    offset: 0,
  }
  return { kind: 'scalar-select', select }
}

/** The same limits on ids, for a table whose ids are in time order. */
function rangeOnIds(base: Base, id: SqlExpr, context: CompileContext): SqlExpr[] {
  const { startNs, endNs } = base.scan.range
  const conditions: SqlExpr[] = []
  if (startNs !== MIN_NS) conditions.push(compare(id, '>=', position(base, context, '>=', startNs)))
  if (endNs !== MAX_NS) conditions.push(compare(id, '<=', position(base, context, '<', endNs)))
  return conditions
}

/** An equality on a column with very many values leaves so few rows that no other index is worth asking. */
function isSelective(block: Block, base: Base): boolean {
  return block.where.some(
    (condition) =>
      condition.kind === 'compare' &&
      condition.op === '=' &&
      condition.left.kind === 'column' &&
      base.layout.columns.some(
        ({ column, field, isText }) =>
          condition.left.kind === 'column' &&
          column === condition.left.column &&
          !isText &&
          base.known.fields.get(field.name)?.values === undefined,
      ),
  )
}

function joinQueries(queries: readonly WordQuery[]): WordQuery {
  return queries.length === 1 ? queries[0] : { kind: 'and', args: queries }
}

interface Drive {
  readonly from: Source
  readonly where: readonly SqlExpr[]
  readonly order: readonly OrderTerm[]
}

/** Newest first by id alone, where the order is that of the ids. */
function byIds(order: readonly OrderTerm[], base: Base, id: SqlExpr): readonly OrderTerm[] {
  const isOwn = (term: OrderTerm | undefined, column: string): boolean =>
    term?.expr.kind === 'column' && term.expr.source === base.alias && term.expr.column === column
  const at = order.length - 2
  if (!isOwn(order[at], own.timeNs) || !isOwn(order[at + 1], own.id)) return order
  if (order[at].direction !== 'desc' || order[at + 1].direction !== 'desc') return order
  return [...order.slice(0, at), { expr: id, direction: 'desc', mayBeNull: false }]
}

function tableSource({ layout, alias, scan }: Base): Source {
  return { kind: 'table', table: layout.table, alias, scan }
}

/** The word index first, its rows looked up in the table where something of the row is needed. */
function driveByWords(block: Block, base: Base, columns: readonly SelectColumn[], context: CompileContext): Drive {
  const words = wordRows(base, joinQueries(block.words.map((term) => term.query)))
  const rowid = sqlColumn(base.wordsAlias, 'rowid')
  const isByIds = base.known.isOrdered
  const order = isByIds ? byIds(block.order, base, rowid) : block.order
  const range = isByIds ? rangeOnIds(base, rowid, context) : rangeOnTimes(base)
  const checks = block.words.filter((term) => !term.isExact).map((term) => term.test)
  const where = [...guardOf(block), ...words.where, ...range, ...withoutGuard(block), ...checks]
  const needsTable =
    base.scan.guard !== undefined ||
    [
      ...columns.map((c) => c.expr),
      ...where,
      ...order.map((term) => term.expr),
      ...(block.groupBy ?? []),
      ...block.having,
    ].some((expr) => reads(expr, base.alias))
  const table = tableSource(base)
  const on = compare(sqlColumn(base.alias, own.id), '=', rowid)
  const from: Source = needsTable ? { kind: 'join', left: words.from, right: table, type: 'cross', on } : words.from
  return { from, where, order }
}

function guardOf(block: Block): readonly SqlExpr[] {
  return block.where.filter((condition) => condition.kind === 'guard')
}

function withoutGuard(block: Block): readonly SqlExpr[] {
  return block.where.filter((condition) => condition.kind !== 'guard')
}

function driveByTable(block: Block, base: Base): Drive {
  const tests = block.words.map((term) => term.test)
  return {
    from: tableSource(base),
    where: [...guardOf(block), ...rangeOnTimes(base), ...withoutGuard(block), ...tests],
    order: block.order,
  }
}

function hasAggregate(expr: SqlExpr): boolean {
  return expr.kind === 'aggregate' || parts(expr).exprs.some(hasAggregate)
}

const ROW_COUNT: SelectColumn = { expr: aggregate('count', [{ kind: 'constant', text: '*' }]), name: 'row_count' }

/** The block as one SELECT of these columns. */
export function finish(block: Block, columns: readonly SelectColumn[], context: CompileContext): Select {
  const { source } = block
  let drive: Drive
  if (source.kind === 'derived') drive = { from: source.from, where: block.where, order: block.order }
  else if (block.words.length > 0 && !isSelective(block, source.base)) {
    drive = driveByWords(block, source.base, columns, context)
  } else drive = driveByTable(block, source.base)
  const isOneRow = block.groupBy !== undefined && block.groupBy.length === 0
  // Without any aggregate among the columns SQLite would not see that there is one group.
  const isPlain = isOneRow && !columns.some((c) => hasAggregate(c.expr))
  return {
    kind: 'select',
    isDistinct: block.isDistinct,
    columns: isPlain ? [...columns, ROW_COUNT] : columns,
    from: drive.from,
    where: context.isInterruptible ? [...drive.where, ...checkpoint(drive.from)] : drive.where,
    groupBy: block.groupBy,
    having: block.having,
    orderBy: isOneRow ? [] : refine(drive.order, []),
    limit: block.limit,
    offset: block.offset,
  }
}

/** Pairs of a join are counted by the host. The argument keeps the count in the inner loop. */
function tick({ query, alias }: Source & { kind: 'select' }): SqlExpr {
  const { columns } = query.kind === 'select' ? query : query.selects[0]
  return sqlCall('host-tick', sqlColumn(alias, columns[0].name))
}

/** A look now and then whether the query must stop, at the first telemetry source. */
function checkpoint(from: Source): readonly SqlExpr[] {
  switch (from.kind) {
    case 'table':
      return [sqlCall('checkpoint', sqlColumn(from.alias, own.id))]
    case 'words':
      return [sqlCall('checkpoint', sqlColumn(from.alias, 'rowid'))]
    case 'join':
      return from.right.kind === 'select' ? [tick(from.right)] : checkpoint(from.left)
    default:
      return []
  }
}
