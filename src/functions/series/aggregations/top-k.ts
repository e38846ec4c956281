import { INT64_END } from '../../../base/index.ts'
import { compareLabels } from '../../../data/index.ts'
import { infos } from '../annotation.ts'
import {
  ABSENT,
  FLOAT,
  HISTOGRAM,
  copyStep,
  hasAny,
  newColumn,
  type ColumnWriter,
  type SeriesColumn,
} from '../columns.ts'
import type { AggregationCall, SeriesAggregation, SeriesGroup } from '../definition.ts'
import { failSeries } from '../diagnostics.ts'
import { vector } from '../values.ts'
import { scalarParam } from './quantile.ts'

/**
 * Converts the parameter to a number of elements, at most `size`. A result of 0 or less means none. Throws if the
 * parameter is NaN or beyond int64.
 */
export function elementCount(param: number, size: number, call: AggregationCall): number {
  if (param !== param) failSeries('bad-parameter', { text: 'Parameter value is NaN' }, call.paramOrigin)
  if (param >= INT64_END || param <= -INT64_END) {
    const text = `Scalar value ${param} ${param > 0 ? 'overflows' : 'underflows'} int64`
    failSeries('bad-parameter', { text }, call.paramOrigin)
  }
  return Math.min(size, Math.trunc(param))
}

/** Collects the selected values of members by step. The column of a member is allocated on first use. */
export class ChosenColumns {
  readonly #columns = new Map<SeriesColumn, ColumnWriter>()

  choose(member: SeriesColumn, step: number): void {
    let column = this.#columns.get(member)
    if (column === undefined) {
      column = newColumn(member.labels, member.isNameDropped, member.kinds.length)
      this.#columns.set(member, column)
    }
    copyStep(member, column, step)
  }

  get columns(): readonly SeriesColumn[] {
    return [...this.#columns.values()].filter((column) => hasAny(column))
  }
}

/**
 * The best members of one step, as a heap whose root is the worst of them. A later equal value does not replace an
 * earlier one. NaN ranks last in both directions.
 */
class BestMembers {
  readonly #members: number[] = []
  readonly #values: number[] = []
  readonly #direction: 1 | -1
  size = 0

  constructor(direction: 1 | -1) {
    this.#direction = direction
  }

  clear(): void {
    this.size = 0
  }

  #isWorse(a: number, b: number): boolean {
    const x = this.#values[a]
    const y = this.#values[b]
    if (x === y || (x !== x && y !== y)) return this.#members[a] > this.#members[b]
    if (x !== x || y !== y) return x !== x
    return this.#direction === 1 ? x < y : x > y
  }

  #swap(a: number, b: number): void {
    const member = this.#members[a]
    const value = this.#values[a]
    this.#members[a] = this.#members[b]
    this.#values[a] = this.#values[b]
    this.#members[b] = member
    this.#values[b] = value
  }

  offer(member: number, value: number, limit: number): void {
    if (this.size < limit) {
      this.#members[this.size] = member
      this.#values[this.size] = value
      let at = this.size++
      while (at > 0 && this.#isWorse(at, (at - 1) >> 1)) {
        this.#swap(at, (at - 1) >> 1)
        at = (at - 1) >> 1
      }
      return
    }
    const worst = this.#values[0]
    const isBetter = worst !== worst ? value === value : this.#direction === 1 ? value > worst : value < worst
    if (!isBetter) return
    this.#members[0] = member
    this.#values[0] = value
    this.#sink()
  }

  #sink(): void {
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= this.size) return
      const right = left + 1
      const worse = right < this.size && this.#isWorse(right, left) ? right : left
      if (!this.#isWorse(worse, at)) return
      this.#swap(at, worse)
      at = worse
    }
  }

  /** Returns a member by its index in the heap, whose order has no meaning. */
  member(index: number): number {
    return this.#members[index]
  }

  /** Returns the members, best first. */
  ranked(): readonly number[] {
    const order = Array.from({ length: this.size }, (_, i) => i)
    order.sort((a, b) => (this.#isWorse(a, b) ? 1 : -1))
    return order.map((index) => this.#members[index])
  }
}

/** Sorts members by labels, so that the choice among equal values is deterministic. */
function inLabelOrder(members: readonly SeriesColumn[]): readonly SeriesColumn[] {
  for (let i = 1; i < members.length; i++) {
    if (compareLabels(members[i - 1].labels, members[i].labels) <= 0) continue
    return members.toSorted((a, b) => compareLabels(a.labels, b.labels))
  }
  return members
}

function rankGroup(
  group: SeriesGroup,
  limits: Float64Array,
  direction: 1 | -1,
  call: AggregationCall,
  mentionIgnored: () => void,
): SeriesColumn[] {
  const members = inLabelOrder(group.members)
  const best = new BestMembers(direction)
  const chosen = new ChosenColumns()
  for (let step = 0; step < limits.length; step++) {
    best.clear()
    const limit = elementCount(limits[step], members.length, call)
    if (limit < 1) continue
    for (let i = 0; i < members.length; i++) {
      const kind = members[i].kinds[step]
      if (kind === FLOAT) best.offer(i, members[i].values[step], limit)
      else if (kind === HISTOGRAM) mentionIgnored()
    }
    const isInstant = limits.length === 1
    if (isInstant) for (const member of best.ranked()) chosen.choose(members[member], step)
    else for (let i = 0; i < best.size; i++) chosen.choose(members[best.member(i)], step)
  }
  return [...chosen.columns]
}

/** Throws if the parameter is NaN, even if there are no members. */
function checkLimits(groups: readonly SeriesGroup[], limits: Float64Array, call: AggregationCall): void {
  if (groups.length === 0) for (const limit of limits) elementCount(limit, 0, call)
}

function ranking(name: string, direction: 1 | -1): SeriesAggregation {
  return {
    name,
    evaluate: (groups, call) => {
      const limits = scalarParam(call)
      const note = { severity: 'info', text: infos.ignoredInAggregation(name), origin: call.origin } as const
      const mentionIgnored = (): void => call.annotate(note)
      const columns = groups.flatMap((group) => {
        call.budget.checkpoint()
        return rankGroup(group, limits, direction, call, mentionIgnored)
      })
      checkLimits(groups, limits, call)
      return vector(columns, call.steps.count === 1)
    },
  }
}

/** The aggregation `limitk`: keeps the first k members of each group, in label order. */
const limitk: SeriesAggregation = {
  name: 'limitk',
  evaluate: (groups, call) => {
    const limits = scalarParam(call)
    const chosen = new ChosenColumns()
    for (const group of groups) {
      const members = inLabelOrder(group.members)
      for (let step = 0; step < limits.length; step++) {
        let left = elementCount(limits[step], members.length, call)
        for (let i = 0; i < members.length && left > 0; i++) {
          if (members[i].kinds[step] === ABSENT) continue
          chosen.choose(members[i], step)
          left--
        }
      }
    }
    checkLimits(groups, limits, call)
    return vector(chosen.columns)
  },
}

export const rankingAggregations: readonly SeriesAggregation[] = [ranking('topk', 1), ranking('bottomk', -1), limitk]
