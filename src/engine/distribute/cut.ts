import { span } from '../../base/index.ts'
import type { Functions } from '../../functions/index.ts'
import { hasNested, lower, parsePipe, printerOf, resultNames, type Pipe } from '../../lang/log/index.ts'
import { propertiesOf, type Dialect, type LogicalPlan } from '../../plan/index.ts'

/** What becomes of the partial answers of nodes before other pipes see them. */
export type Merge =
  /** Groups with states in place of values; equal groups become one, with the values of these columns. */
  | { readonly kind: 'states'; readonly keys: readonly string[]; readonly results: readonly string[] }
  /** Values with numbers of rows; what `of` gives, as these pipes make it. */
  | { readonly kind: 'hits'; readonly of: Pipe; readonly limit: number | undefined; readonly pipes: readonly Pipe[] }

/** What nodes and coordinator do for the first pipe that does not look at rows one by one. */
export interface Cut {
  readonly remote: readonly Pipe[]
  readonly merge?: Merge
  readonly local: readonly Pipe[]
}

export interface CutContext {
  readonly dialect: Dialect
  readonly functions: Functions
}

function pipe(text: string, { dialect }: CutContext): Pipe {
  const { ast } = parsePipe(text, { dialect })
  if (ast === undefined) throw new Error(`a pipe that cannot be read: ${text}`)
  return ast
}

function isRowWise(plan: LogicalPlan): boolean {
  if (plan.kind === 'scan') return true
  const isOneByOne = propertiesOf(plan).isRowWise || (plan.kind === 'sample' && plan.mode === 'one-in')
  return isOneByOne && 'input' in plan && isRowWise(plan.input)
}

/** Whether a pipe looks at each row alone, so that it does not matter where the other rows are. */
export function isEachRow(each: Pipe, { dialect }: CutContext): boolean {
  if (hasNested(each)) return false
  if (each.kind === 'block_stats') return true
  const where = span(0, 0)
  const query = { options: [], filter: undefined, pipes: [each], isIncomplete: false, span: where }
  return isRowWise(lower(query, { dialect, nowNs: 0n, table: '' }))
}

function limited(sort: Extract<Pipe, { kind: 'sort' }>): Cut {
  if (sort.limit === undefined || sort.hasTies) return { remote: [], local: [sort] }
  const { offset = 0, limit } = sort
  return { remote: [{ ...sort, offset: undefined, limit: offset + limit, rank: undefined }], local: [sort] }
}

function edge(each: Extract<Pipe, { kind: 'first' | 'last' }>): Cut {
  const { by, count, partitionBy, rank } = each
  const isReversed = each.kind === 'last'
  const rest = { hasTies: false, after: [], span: each.span }
  return limited({ kind: 'sort', keys: by, isReversed, offset: undefined, limit: count, partitionBy, rank, ...rest })
}

/** Whether states of a stats function can be merged in any order. */
export function isMergeable(name: string, { stats: known }: Functions): boolean {
  return known.get(name)?.isOrderSensitive === false
}

function stats(each: Extract<Pipe, { kind: 'stats' }>, { dialect, functions }: CutContext): Cut {
  const isSplit = each.results.every(({ call }) => isMergeable(call.name, functions))
  // Empty buckets are known only when all are together.
  if (!isSplit || each.by.some(({ fill }) => fill !== undefined)) return { remote: [], local: [each] }
  const keys = [...new Set(each.by.map(({ field }) => field.parts.join('*')))]
  return { remote: [each], merge: { kind: 'states', keys, results: resultNames(each, printerOf(dialect)) }, local: [] }
}

/** Values by the sum of the hits that nodes have found. */
function hits(remote: Pipe, of: Pipe, fields: readonly string[], limit: number | undefined, context: CutContext): Cut {
  const text = printerOf(context.dialect).text
  const names = fields.map(text).join(', ')
  const count = fields.includes('hits') ? 'hitss' : 'hits'
  const pipes = [pipe(`stats by (${names}) sum(${count}) as ${count}`, context)]
  if (limit !== undefined && limit > 0) pipes.push(pipe(`limit ${limit}`, context))
  return { remote: [remote], merge: { kind: 'hits', of, limit, pipes }, local: [] }
}

function top(each: Extract<Pipe, { kind: 'top' }>, context: CutContext): Cut {
  const printer = printerOf(context.dialect)
  const by = printer.fields(each.by)
  const taken = each.by.map(({ parts }) => parts[0])
  const name = each.hits === undefined ? (taken.includes('hits') ? 'hitss' : 'hits') : each.hits.parts[0]
  const count = printer.text(name)
  const rank = each.rank === undefined ? '' : ` rank${printer.as(each.rank)}`
  const shown = [by, count, ...(each.rank === undefined ? [] : [printer.field(each.rank)])].join(', ')
  return {
    remote: [pipe(`stats by (${by}) count() as ${count}`, context)],
    local: [
      pipe(`stats by (${by}) sum(${count}) as ${count}`, context),
      pipe(`first ${each.count} by (${count} desc, ${by})${rank}`, context),
      pipe(`fields ${shown}`, context),
    ],
  }
}

function sums(each: Pipe, columns: readonly string[], context: CutContext): Cut {
  const names = columns.map(printerOf(context.dialect).text)
  return {
    remote: [each],
    local: [pipe(`stats ${names.map((name) => `sum(${name}) as ${name}`).join(', ')}`, context)],
  }
}

/**
 * How the work of a pipe that needs rows of all nodes is shared; what is not known is left to the coordinator. So are
 * `facets`: which values are too many or too long, and which fields are the same in all rows, no node knows alone.
 */
export function cutAt(each: Pipe, context: CutContext): Cut {
  if (hasNested(each)) return { remote: [], local: [each] }
  switch (each.kind) {
    case 'limit':
      return {
        remote: each.by.length === 0 ? [{ ...each, count: each.count + each.offset, offset: 0 }] : [],
        local: [each],
      }
    case 'sort':
      return limited(each)
    case 'first':
    case 'last':
      return edge(each)
    case 'stats':
      return stats(each, context)
    case 'uniq':
      if (!each.hasHits) return { remote: [each], local: [{ ...each, containing: undefined }] }
      return hits(
        { ...each, limit: undefined },
        each,
        each.by.map(({ parts }) => parts[0]),
        each.limit,
        context,
      )
    case 'field_values':
      return hits({ ...each, limit: undefined }, each, [each.field.parts[0]], each.limit, context)
    case 'top':
      return top(each, context)
    case 'blocks_count':
      return sums(each, [each.into?.parts[0] ?? each.kind], context)
    default:
      return { remote: [], local: [each] }
  }
}
