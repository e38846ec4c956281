import { MAX_NS, MIN_NS, present } from '../../base/index.ts'
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
} from './statement/ast.ts'
import type { Base } from './base.ts'
import { NotMerged, isGrouped, type QueryBlock } from './block.ts'
import { wordRows } from './word-rows.ts'
import type { CompileContext } from './context.ts'
import { refine } from './order.ts'
import { children, reads } from './statement/walk.ts'

/** Returns the bounds of the scan's time range as conditions on the time column. */
function rangeOnTimes({ alias, scan: { range } }: Base): SqlExpr[] {
  const timeNs = sqlColumn(alias, own.timeNs)
  const conditions: SqlExpr[] = []
  if (range.startNs !== MIN_NS) conditions.push(compare(timeNs, '>=', bound(range.startNs)))
  if (range.endNs !== MAX_NS) conditions.push(compare(timeNs, '<', bound(range.endNs)))
  return conditions
}

type Edge = { readonly op: '<' | '>='; readonly timeNs: SqlExpr }

/**
 * Compiles a scalar subselect of a row id: the last row before a time, or the first row at or after a time, depending
 * on `op`. NULL if there is no such row.
 */
function position(base: Base, context: CompileContext, { op, timeNs: edge }: Edge): SqlExpr {
  const alias = context.alias('p')
  const direction = op === '<' ? 'desc' : 'asc'
  const timeNs = sqlColumn(alias, own.timeNs)
  const id = sqlColumn(alias, own.id)
  const select: Select = {
    kind: 'select',
    columns: [{ expr: id, name: 'id' }],
    from: { kind: 'position', table: base.layout.table, alias, scan: base.scan },
    where: [compare(timeNs, op, edge)],
    groupBy: undefined,
    having: [],
    orderBy: [timeNs, id].map((expr) => ({ expr, direction, mayBeNull: false })),
    limit: 1,
    offset: 0,
  }
  return { kind: 'scalar-select', select }
}

/** Returns the bounds of the time range as conditions on row ids, for tables whose ids are in time order. */
function rangeOnIds(base: Base, id: SqlExpr, context: CompileContext): SqlExpr[] {
  const { startNs, endNs } = base.scan.range
  const conditions: SqlExpr[] = []
  if (startNs !== MIN_NS) {
    conditions.push(compare(id, '>=', position(base, context, { op: '>=', timeNs: bound(startNs) })))
  }
  if (endNs !== MAX_NS) {
    conditions.push(compare(id, '<=', position(base, context, { op: '<', timeNs: bound(endNs) })))
  }
  return conditions
}

/**
 * Maximum lateness for which hints are used, nanoseconds. Above it hints do not help, and adding it to a time could
 * exceed 64 bits.
 */
const MAX_LATENESS_NS = 2n ** 61n

function after(id: SqlExpr, bounding: SqlExpr): SqlExpr {
  return compare(id, '>', sqlCall('first-present', bounding, { kind: 'constant', text: '0' }))
}

/**
 * Returns redundant conditions on row ids that skip rows outside the time range, for tables whose ids are nearly in
 * time order. Lateness bounds the disorder: rows stored before a row of time t have times up to t plus the lateness,
 * later rows have times from t minus the lateness. The exact conditions on times remain.
 */
function hintsOnIds(base: Base, id: SqlExpr, context: CompileContext): SqlExpr[] {
  const { latenessNs } = base.known
  const { startNs, endNs } = base.scan.range
  const conditions: SqlExpr[] = []
  const earliest = startNs - latenessNs
  if (startNs !== MIN_NS && earliest > MIN_NS) {
    conditions.push(after(id, position(base, context, { op: '<', timeNs: bound(earliest) })))
  }
  const latest = endNs + latenessNs
  if (endNs !== MAX_NS && latest < MAX_NS) {
    const behind = position(base, context, { op: '>=', timeNs: bound(latest) })
    conditions.push(compare(id, '<', sqlCall('first-present', behind, bound(MAX_NS))))
  }
  return conditions
}

/**
 * Returns a redundant condition on row ids that skips old rows if only the newest matches are wanted, for tables whose
 * ids are nearly in time order. Let e be the earliest time among the wanted number of matches with the highest ids.
 * Every newer row is stored after all rows that are older than e minus the lateness.
 */
function newestHint(
  block: QueryBlock,
  base: Base,
  drive: Drive,
  id: SqlExpr,
  context: CompileContext,
): SqlExpr | undefined {
  if (block.limit === undefined || !isNewestFirst(block.order, base) || base.known.hasExtremeTimes) return undefined
  const alias = context.alias('s')
  const query: Select = {
    kind: 'select',
    columns: [{ expr: sqlColumn(base.alias, own.timeNs), name: 'c0' }],
    from: drive.from,
    where: drive.where,
    groupBy: undefined,
    having: [],
    orderBy: [{ expr: id, direction: 'desc', mayBeNull: false }],
    limit: block.offset + block.limit,
    offset: 0,
  }
  const earliest: SqlExpr = {
    kind: 'scalar-select',
    select: {
      ...query,
      columns: [{ expr: aggregate('MIN', [sqlColumn(alias, 'c0')]), name: 'c0' }],
      from: { kind: 'select', query, alias },
      where: [],
      orderBy: [],
      limit: undefined,
    },
  }
  const timeNs = sqlCall('subtract', earliest, bound(base.known.latenessNs))
  return after(id, position(base, context, { op: '<', timeNs }))
}

/**
 * True if a condition tests a column with very many distinct values for equality. So few rows remain that no other
 * index is needed.
 */
function isSelective(block: QueryBlock, base: Base): boolean {
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
  const [only] = queries
  return queries.length === 1 && only !== undefined ? only : { kind: 'and', args: queries }
}

interface Drive {
  readonly from: Source
  readonly where: readonly SqlExpr[]
  readonly order: readonly OrderTerm[]
}

/** True if the order is exactly "newest first" from position `at` on. */
function isNewestFirst(order: readonly OrderTerm[], base: Base, at = 0): boolean {
  const isOwn = (term: OrderTerm | undefined, column: string): boolean =>
    term?.direction === 'desc' &&
    term.expr.kind === 'column' &&
    term.expr.source === base.alias &&
    term.expr.column === column
  return order.length === at + 2 && isOwn(order[at], own.timeNs) && isOwn(order[at + 1], own.id)
}

/** Replaces the order "newest first" by descending row ids, for tables whose ids are in time order. */
function byIds(order: readonly OrderTerm[], base: Base, id: SqlExpr): readonly OrderTerm[] {
  const at = order.length - 2
  if (!isNewestFirst(order, base, at)) return order
  return [...order.slice(0, at), { expr: id, direction: 'desc', mayBeNull: false }]
}

function tableSource({ layout, alias, scan }: Base): Source {
  return { kind: 'table', table: layout.table, alias, scan }
}

/** Builds a SELECT that starts from the word index and looks up only rows whose columns it needs. */
function driveByWords(block: QueryBlock, base: Base, columns: readonly SelectColumn[], context: CompileContext): Drive {
  const words = wordRows(base, joinQueries(block.words.map((term) => term.query)))
  const rowid = sqlColumn(base.wordsAlias, 'rowid')
  const { latenessNs } = base.known
  const isByIds = latenessNs === 0n
  const isNearly = latenessNs < MAX_LATENESS_NS
  const order = isByIds ? byIds(block.order, base, rowid) : block.order
  const range = isByIds
    ? rangeOnIds(base, rowid, context)
    : [...(isNearly ? hintsOnIds(base, rowid, context) : []), ...rangeOnTimes(base)]
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
  const drive = { from, where, order }
  const hint = isByIds || !isNearly || isGrouped(block) ? undefined : newestHint(block, base, drive, rowid, context)
  return hint === undefined ? drive : { ...drive, where: [...where, hint] }
}

function guardOf(block: QueryBlock): readonly SqlExpr[] {
  return block.where.filter((condition) => condition.kind === 'guard')
}

function withoutGuard(block: QueryBlock): readonly SqlExpr[] {
  return block.where.filter((condition) => condition.kind !== 'guard')
}

function driveByTable(block: QueryBlock, base: Base): Drive {
  const tests = block.words.map((term) => term.test)
  return {
    from: tableSource(base),
    where: [...guardOf(block), ...rangeOnTimes(base), ...withoutGuard(block), ...tests],
    order: block.order,
  }
}

function hasAggregate(expr: SqlExpr): boolean {
  return expr.kind === 'aggregate' || children(expr).exprs.some(hasAggregate)
}

const ROW_COUNT: SelectColumn = { expr: aggregate('COUNT', [{ kind: 'constant', text: '*' }]), name: 'row_count' }

/** Writes the block as one SELECT that returns these columns. */
export function finish(block: QueryBlock, columns: readonly SelectColumn[], context: CompileContext): Select {
  const { source } = block
  if (block.unmerged !== undefined) throw new NotMerged()
  let drive: Drive
  if (source.kind === 'derived') drive = { from: source.from, where: block.where, order: block.order }
  else if (block.words.length > 0 && !isSelective(block, source.base)) {
    drive = driveByWords(block, source.base, columns, context)
  } else drive = driveByTable(block, source.base)
  const isOneRow = block.groupBy !== undefined && block.groupBy.length === 0
  // An aggregate without GROUP BY returns one row. If no result column has an aggregate, SQLite would return one row
  // for each input row instead.
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
    limitBy: block.limitBy,
    limit: block.limit,
    offset: block.offset,
  }
}

/**
 * Writes a call of the host function that counts the row pairs of a join, so that long joins can be stopped. The
 * argument reads the joined row, which forces SQLite to call the function in the inner loop.
 */
function tick({ query, alias }: Source & { kind: 'select' }): SqlExpr {
  const { columns } = query.kind === 'select' ? query : present(query.selects[0])
  return sqlCall('host-tick', sqlColumn(alias, present(columns[0]).name))
}

/**
 * Writes a call of the host function that checks for cancellation and the deadline. It is called for each row of the
 * first telemetry table in the statement.
 */
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
