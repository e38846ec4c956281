import { work, checkpoint } from '../../../../base/index.ts'
import { compareLabels, type Labels } from '../../../../data/index.ts'
import {
  ABSENT,
  ColumnArena,
  FLOAT,
  failSeries,
  hasAny,
  histogramAt,
  madeLabels,
  mergeEqualLabels,
  setFloat,
  setHistogram,
  vector,
  type ColumnWriter,
  type SeriesColumn,
  type SeriesContext,
  type VectorValue,
  floatOps,
  type ElementOp,
} from '../../../../functions/series/index.ts'
import type { SeriesBinary, SeriesMatching } from '../../../../plan/series/index.ts'
import { combineMixed, isComparison, type BinaryOperation } from './binary-op.ts'
import { presence } from './binary-set.ts'
import { groupLabels, matchGroups, resultLabels, type MatchGroup } from './matching.ts'

/**
 * The settings of one matching of two vectors. The many side, which may have several series per match, is the left
 * operand unless `isSwapped`.
 */
interface Join {
  readonly node: SeriesBinary
  readonly matching: SeriesMatching
  readonly context: SeriesContext
  readonly operation: BinaryOperation
  readonly isSwapped: boolean
  /** An array with 1 for each step at which both sides have elements. */
  readonly isLive: Uint8Array
  readonly losesName: boolean
  readonly arena: ColumnArena
  readonly fillMany: number | undefined
  readonly fillOne: number | undefined
}

/** The result series of one match group, by label set. */
class GroupResults {
  readonly #join: Join
  readonly #columns = new Map<string, ColumnWriter>()
  readonly #isTaken: Uint8Array | undefined

  constructor(join: Join, needsCheck: boolean) {
    this.#join = join
    const isOneToOne = join.matching.cardinality === 'one-to-one'
    this.#isTaken = isOneToOne && needsCheck ? new Uint8Array(join.context.steps.count) : undefined
  }

  columnFor(labels: Labels, isNameDropped: boolean): ColumnWriter {
    const key = `${isNameDropped ? 1 : 0}${labels.key}`
    let column = this.#columns.get(key)
    if (column === undefined) {
      column = this.#join.arena.column(labels, isNameDropped)
      this.#columns.set(key, column)
    }
    return column
  }

  /**
   * Records a matching pair of elements, with or without a result. Throws if a one-to-one matching has two pairs at one
   * step.
   */
  meet(step: number): void {
    if (this.#isTaken === undefined) return
    if (this.#isTaken[step] !== 0) failSeries('many-to-one', undefined, this.#join.node.origin)
    this.#isTaken[step] = 1
  }

  /**
   * Reserves a step of a result series before it is written. Throws if another result with equal labels exists at this
   * step.
   */
  claim(column: ColumnWriter, step: number): void {
    const { node, matching } = this.#join
    if (matching.cardinality !== 'one-to-one' && column.kinds[step] !== ABSENT) {
      failSeries('grouping-not-unique', undefined, node.origin)
    }
  }

  get columns(): readonly SeriesColumn[] {
    return [...this.#columns.values()].filter((column) => hasAny(column))
  }
}

/** Computes an arithmetic or comparison operator on two vectors. Label sets are matched once for all steps. */
export function vectorWithVector(
  node: SeriesBinary,
  matching: SeriesMatching,
  left: VectorValue,
  right: VectorValue,
  context: SeriesContext,
): VectorValue {
  const op = node.op as ElementOp
  const isSwapped = matching.cardinality === 'one-to-many'
  const stepCount = context.steps.count
  const many = isSwapped ? right.series : left.series
  const one = isSwapped ? left.series : right.series
  const isLive = presence(many, stepCount)
  const isOneLive = presence(one, stepCount)
  for (let step = 0; step < stepCount; step++) {
    const hasMany = isLive[step] !== 0 || matching.fillLeft !== undefined
    const hasOne = isOneLive[step] !== 0 || matching.fillRight !== undefined
    isLive[step] = hasMany && hasOne ? 1 : 0
  }
  const join: Join = {
    node,
    matching,
    context,
    operation: { op, origin: node.origin, context },
    isSwapped,
    isLive,
    losesName: !isComparison(op) && op !== '</' && op !== '>/',
    arena: new ColumnArena(stepCount, context.budget),
    // `group_right` is computed with swapped operands. As in Prometheus, the fill values are not swapped: `fillLeft`
    // applies to the many side.
    fillMany: matching.fillLeft,
    fillOne: matching.fillRight,
  }
  const groups = matchGroups(many, one, matching)
  const columns: SeriesColumn[] = []
  for (const group of groups) for (const column of joinGroup(group, join)) columns.push(column)
  return vector(mergeEqualLabels(columns, node.origin, true))
}

function joinGroup({ left: many, right: one }: MatchGroup, join: Join): readonly SeriesColumn[] {
  if (one.length > 1) checkUnique(one, join)
  if (many.length === 0 && join.fillMany === undefined) return []
  if (one.length === 0 && join.fillOne === undefined) return []
  const results = new GroupResults(join, many.length > 1)
  for (const m of many) {
    checkpoint()
    for (const o of one) joinPair(m, o, join, results)
    if (join.fillOne !== undefined) fillMissingOne(m, one, join.fillOne, join, results)
  }
  if (join.fillMany !== undefined) for (const o of one) fillMissingMany(o, many, join.fillMany, join, results)
  return results.columns
}

/**
 * Checks that the "one" side has one series per match. Throws if two of its series have elements at a step where the
 * many side has elements too.
 */
function checkUnique(one: readonly SeriesColumn[], join: Join): void {
  const holder = new Int32Array(join.isLive.length).fill(-1)
  one.forEach((column, index) => {
    work(holder.length >>> 3)
    for (let step = 0; step < holder.length; step++) {
      if (column.kinds[step] === ABSENT || join.isLive[step] === 0) continue
      if (holder[step] !== -1) {
        const group = groupLabels(column.labels, join.matching).toString()
        const examples = [column.labels, one[holder[step]].labels].sort(compareLabels).map(String).join(', ')
        const side = join.isSwapped ? 'left' : 'right'
        failSeries('duplicate-series', { group, side, examples }, join.node.origin)
      }
      holder[step] = index
    }
  })
}

function outputFor(m: SeriesColumn, one: Labels, join: Join, results: GroupResults): ColumnWriter {
  const { node, matching, losesName, context } = join
  const isDelayed = context.flags.isNameRemovalDelayed
  const result = resultLabels(m.labels, one, matching, losesName || (node.isBool && !isDelayed))
  const labels = matching.include.length === 0 ? result : madeLabels(result, 'group modifier', node.origin, context)
  // A comparison that filters keeps all labels, including a name that is removed only at the end of the query.
  return results.columnFor(labels, !losesName && node.isBool && isDelayed)
}

function joinPair(m: SeriesColumn, o: SeriesColumn, join: Join, results: GroupResults): void {
  const out = outputFor(m, o.labels, join, results)
  const isPlain = m.histograms === undefined && o.histograms === undefined
  const isTrim = join.operation.op === '</' || join.operation.op === '>/'
  if (isPlain && !isTrim) joinFloats(m, o, out, join, results)
  else joinMixed(m, o, out, join, results)
}

function joinFloats(m: SeriesColumn, o: SeriesColumn, out: ColumnWriter, join: Join, results: GroupResults): void {
  const combine = floatOps[join.operation.op]
  const isFilter = isComparison(join.operation.op) && !join.node.isBool
  const { isSwapped } = join
  work(m.kinds.length >>> 3)
  const { values: a, kinds: kindsA } = m
  const { values: b, kinds: kindsB } = o
  for (let step = 0; step < kindsA.length; step++) {
    if (kindsA[step] === ABSENT || kindsB[step] === ABSENT) continue
    results.meet(step)
    const result = isSwapped ? combine(b[step], a[step]) : combine(a[step], b[step])
    if (isFilter && result === 0) continue
    results.claim(out, step)
    // A comparison that filters keeps the value of the left operand.
    out.values[step] = isFilter ? (isSwapped ? b[step] : a[step]) : result
    out.kinds[step] = FLOAT
  }
}

function joinMixed(m: SeriesColumn, o: SeriesColumn, out: ColumnWriter, join: Join, results: GroupResults): void {
  for (let step = 0; step < m.kinds.length; step++) {
    if (m.kinds[step] === ABSENT || o.kinds[step] === ABSENT) continue
    work(10)
    joinStep(elementAt(m, step), elementAt(o, step), step, out, join, results)
  }
}

type Element = ReturnType<typeof histogramAt> | number

function elementAt(column: SeriesColumn, step: number): Element {
  return column.kinds[step] === FLOAT ? column.values[step] : histogramAt(column, step)
}

function joinStep(
  many: Element,
  one: Element,
  step: number,
  out: ColumnWriter,
  join: Join,
  results: GroupResults,
): void {
  const { operation, node, isSwapped } = join
  results.meet(step)
  const left = isSwapped ? one : many
  const right = isSwapped ? many : one
  const isFilter = isComparison(operation.op) && !node.isBool
  const isTrim = operation.op === '</' || operation.op === '>/'
  if (typeof left === 'number' && typeof right === 'number' && !isTrim) {
    const result = floatOps[operation.op](left, right)
    if (isFilter && result === 0) return
    results.claim(out, step)
    setFloat(out, step, isFilter ? left : result)
    return
  }
  const result = combineMixed(left, right, operation)
  if (result === undefined || (result.kind === 'truth' && isFilter && !result.isTrue)) return
  results.claim(out, step)
  if (result.kind === 'histogram') setHistogram(out, step, result.histogram)
  else if (!isFilter) setFloat(out, step, result.isTrue ? 1 : 0)
  else if (typeof left === 'number') setFloat(out, step, left)
  else setHistogram(out, step, left)
}

/** Combines each element of the many side that has no match with the fill value. */
function fillMissingOne(
  m: SeriesColumn,
  one: readonly SeriesColumn[],
  fill: number,
  join: Join,
  results: GroupResults,
): void {
  const hasPartner = presence(one, m.kinds.length)
  const out = outputFor(m, groupLabels(m.labels, join.matching), join, results)
  for (let step = 0; step < m.kinds.length; step++) {
    if (m.kinds[step] === ABSENT || hasPartner[step] !== 0) continue
    joinStep(elementAt(m, step), fill, step, out, join, results)
  }
}

/**
 * Combines each element of the "one" side (one series per match) that has no match with the fill value. The result has
 * the group's labels.
 */
function fillMissingMany(
  o: SeriesColumn,
  many: readonly SeriesColumn[],
  fill: number,
  join: Join,
  results: GroupResults,
): void {
  const hasPartner = presence(many, o.kinds.length)
  const labels = groupLabels(o.labels, join.matching)
  const standIn: SeriesColumn = { ...o, labels, isNameDropped: false }
  const out = outputFor(standIn, o.labels, join, results)
  for (let step = 0; step < o.kinds.length; step++) {
    if (o.kinds[step] === ABSENT || hasPartner[step] !== 0) continue
    joinStep(fill, elementAt(o, step), step, out, join, results)
  }
}
