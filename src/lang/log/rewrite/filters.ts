import { present } from '../../../base/index.ts'
import type { Dialect } from '../../../plan/index.ts'
import type { AndFilter, Filter } from '../ast.ts'
import { isMatchAll } from '../filters/pattern.ts'
import type { StreamFilter } from '../filters/stream.ts'

/**
 * Simplifies a filter. The native dialect only removes double negations, because parentheses and the kind of
 * conjunction decide which filters are alternatives. `logsql` also flattens nested operators.
 */
export function rewriteFilter(filter: Filter, dialect: Dialect): Filter {
  return dialect === 'native' ? rewriteNative(filter) : simplify(filter)
}

function rewriteNative(filter: Filter): Filter {
  switch (filter.kind) {
    case 'not': {
      const arg = rewriteNative(filter.arg)
      return arg.kind === 'not' ? parenthesized(arg.arg) : { ...filter, arg }
    }
    case 'group': {
      const arg = rewriteNative(filter.arg)
      return arg.kind === 'group' ? arg : { ...filter, arg }
    }
    case 'and':
      return { ...filter, args: filter.args.map(rewriteNative) }
    case 'or':
      return { ...filter, args: filter.args.map(rewriteNative) }
    default:
      return filter
  }
}

/**
 * Puts a filter in parentheses if it was one operand before. Without parentheses, it could become an alternative of
 * adjacent filters.
 */
function parenthesized(filter: Filter): Filter {
  return filter.kind === 'group' ? filter : { kind: 'group', arg: filter, field: undefined, span: filter.span }
}

function simplify(filter: Filter): Filter {
  switch (filter.kind) {
    case 'group':
      return simplify(filter.arg)
    case 'not': {
      const arg = simplify(filter.arg)
      return arg.kind === 'not' ? arg.arg : { ...filter, arg }
    }
    case 'and':
      return simplifyAnd(filter)
    case 'or': {
      const args = filter.args.map(simplify).flatMap((arg) => (arg.kind === 'or' ? arg.args : [arg]))
      const all = args.find(isMatchAll)
      const [only] = args
      return all ?? (args.length === 1 && only !== undefined ? only : { ...filter, args })
    }
    case 'regexp':
      if (filter.pattern === '' || filter.pattern === '.*') return matchAll(filter)
      if (filter.pattern === '.+')
        return { kind: 'pattern', parts: ['', ''], field: filter.field ?? msg(filter), span: filter.span }
      return filter
    case 'in':
    case 'contains-any':
    case 'contains-all':
    case 'stream-id':
      return filter.list.kind === 'all' ? matchAll(filter) : filter
    default:
      return filter
  }
}

function matchAll(filter: Filter): Filter {
  return { kind: 'pattern', parts: ['', ''], field: undefined, span: filter.span }
}

function msg(filter: Filter): NonNullable<Filter['field']> {
  return { parts: ['_msg'], span: filter.span }
}

function simplifyAnd(filter: AndFilter): Filter {
  const flat = filter.args.map(simplify).flatMap((arg) => (arg.kind === 'and' ? arg.args : [arg]))
  const args = streamsFirst(flat.filter((arg) => !isMatchAll(arg)))
  const [only] = args
  if (only === undefined) return matchAll(filter)
  return args.length === 1 ? only : { ...filter, args, isExplicit: false }
}

/** Moves stream filters to the front of a conjunction, and merges stream filters without alternatives. */
function streamsFirst(args: readonly Filter[]): readonly Filter[] {
  const streams = args.filter((arg): arg is StreamFilter => arg.kind === 'stream')
  if (streams.length === 0) return args
  const others = args.filter((arg) => arg.kind !== 'stream')
  if (streams.some(({ alternatives }) => alternatives.length > 1)) return [...streams, ...others]
  const matchers = streams.flatMap(({ alternatives }) => alternatives.flat())
  const merged: StreamFilter = { ...present(streams[0]), alternatives: matchers.length === 0 ? [] : [matchers] }
  return [merged, ...others]
}
