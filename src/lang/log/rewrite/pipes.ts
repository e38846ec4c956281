import { present, type Span } from '../../../base/index.ts'
import type { Filter, Pipe, Query } from '../ast.ts'
import type { SortPipe } from '../pipes/sort.ts'

/** A range of rows, `[start, end)` of the input. */
interface Window {
  readonly start: number
  readonly end: number
}

const everything: Window = { start: 0, end: Infinity }

/**
 * Returns the rows of `window` that a following `limit` or `offset` pipe keeps; `undefined` for other pipes and for a
 * `limit` with `by`.
 */
function narrowed(window: Window, pipe: Pipe): Window | undefined {
  if (pipe.kind === 'limit' && pipe.by.length === 0) {
    const start = window.start + pipe.offset
    return { start, end: Math.min(window.end, start + pipe.count) }
  }
  if (pipe.kind === 'offset') return { start: window.start + pipe.count, end: window.end }
  return undefined
}

/**
 * Simplifies the pipes of a query. Leading filter pipes join the query's filter, unless `mergesFilters` is false.
 * Sequences of sort, offset and limit pipes are combined.
 */
export function foldPipes(query: Query, mergesFilters = true): Query {
  const { filter, rest } = mergesFilters ? mergeFilters(query) : { filter: query.filter, rest: query.pipes }
  const pipes: Pipe[] = []
  for (let i = 0; i < rest.length;) {
    const pipe = present(rest[i])
    const sort = pipe.kind === 'sort' && pipe.partitionBy.length === 0 && !pipe.hasTies ? pipe : undefined
    let window: Window | undefined = sort === undefined ? narrowed(everything, pipe) : windowOf(sort)
    if (window === undefined) {
      pipes.push(pipe)
      i++
      continue
    }
    for (i++; i < rest.length; i++) {
      const next = narrowed(window, present(rest[i]))
      if (next === undefined) break
      window = next
    }
    if (window.end <= window.start)
      pipes.splice(keepsColumns(rest, i) ? pipes.length : 0, pipes.length, limitPipe(0, pipe.span))
    else if (sort === undefined) pipes.push(...windowPipes(window, pipe.span))
    else pipes.push(windowedSort(sort, window))
  }
  const folded = { ...query, filter, pipes }
  // Removing a pipe can make more filters or limits adjacent, so the query is simplified again.
  return pipes.length < query.pipes.length ? foldPipes(folded, mergesFilters) : folded
}

/**
 * True if a later union or join depends on the columns here, because its result has the columns of its left input, even
 * without rows.
 */
function keepsColumns(pipes: readonly Pipe[], from: number): boolean {
  return pipes.slice(from).some(({ kind }) => kind === 'union' || kind === 'join')
}

function windowOf({ offset, limit }: SortPipe): Window {
  const start = offset ?? 0
  return { start, end: limit === undefined ? Infinity : start + limit }
}

function windowedSort(sort: SortPipe, { start, end }: Window): SortPipe {
  return {
    ...sort,
    offset: start === 0 ? undefined : start,
    limit: end === Infinity ? undefined : end - start,
  }
}

function limitPipe(count: number, where: Span): Pipe {
  return { kind: 'limit', count, by: [], offset: 0, span: where }
}

function windowPipes({ start, end }: Window, where: Span): readonly Pipe[] {
  const pipes: Pipe[] = []
  if (end !== Infinity) pipes.push(limitPipe(end, where))
  if (start > 0) pipes.push({ kind: 'offset', count: start, span: where })
  return pipes
}

function mergeFilters(query: Query): { readonly filter: Filter | undefined; readonly rest: readonly Pipe[] } {
  const filters: Filter[] = query.filter === undefined ? [] : [query.filter]
  let count = 0
  for (const pipe of query.pipes) {
    if (pipe.kind !== 'filter') break
    filters.push(pipe.filter)
    count++
  }
  // `stream_context` finds neighbours among the rows that pass all filters except the last one, so filters must not be
  // merged.
  const isContext = query.pipes[count]?.kind === 'stream_context'
  if (count === 0 || isContext) return { filter: query.filter, rest: query.pipes }
  const merged: Filter = { kind: 'and', args: filters, isExplicit: true, field: undefined, span: query.span }
  return { filter: merged, rest: query.pipes.slice(count) }
}
