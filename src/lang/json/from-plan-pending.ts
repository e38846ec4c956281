import type { Origin } from '../../base/index.ts'
import { column, columnsOf, rewriteExpr, type Expr } from '../../plan/index.ts'
import { mathOf } from './from-plan-expr.ts'

/** A column that is made when it is needed; without `expr` one that is gone. */
export interface Pending {
  readonly expr: Expr | undefined
  readonly origin: Origin
}

export function sizeOf(expr: Expr): number {
  let nodes = 0
  rewriteExpr(expr, (each) => {
    nodes++
    return each
  })
  return nodes
}

const streamNames: readonly string[] = ['_stream', '_stream_id']

/** Whether an expression reads what is computed out of the fields of a row: those that are pending are made first. */
export function readsStreamName(expr: Expr): boolean {
  const columns = columnsOf(expr)
  return streamNames.some((name) => columns?.has(name) ?? false)
}

/** Whether any value that a predicate asks about is one. */
export function filterReads(predicate: Expr, textField: string, reads: (expr: Expr) => boolean): boolean {
  let isRead = false
  rewriteExpr(predicate, (each) => {
    const all: Expr = { kind: 'columns', fields: { parts: ['', ''] }, origin: each.origin }
    if (each.kind === 'column') isRead ||= reads(streamNames.includes(each.name) ? all : each)
    else if (each.kind === 'any-field' || each.kind === 'stream-filter') isRead ||= reads(all)
    else if (each.kind === 'field-filter') {
      const [name, ...others] = each.field?.parts ?? [textField]
      isRead ||= reads(others.length === 0 && !streamNames.includes(name) ? column(name) : all)
    }
    return each
  })
  return isRead
}

/** `datetime_extract` of a column. */
export function partOf(expr: Expr): { readonly column: string; readonly part: string } | undefined {
  if (expr.kind !== 'call' || expr.name !== 'datetime-extract') return undefined
  const [from, part] = expr.args
  if (from?.kind !== 'column' || part?.kind !== 'literal' || typeof part.value !== 'string') return undefined
  return /^[a-z_]+$/.test(part.value) ? { column: from.name, part: part.value } : undefined
}

export type Made = readonly [string, { readonly expr: Expr; readonly origin: Origin }]

/** Whether arithmetic or a transform makes the column, beside all others. */
export function isStep([, { expr }]: Made): boolean {
  return mathOf(expr) !== undefined || partOf(expr) !== undefined
}

/**
 * Columns made side by side: first those that arithmetic and transforms can make one after the other, none reading one
 * that was written over, then the rest.
 */
export function inOrder(pending: ReadonlyMap<string, Pending>): {
  readonly first: readonly Made[]
  readonly rest: readonly Made[]
} {
  const left = new Map<string, Made[1]>()
  for (const [name, { expr, origin }] of pending) if (expr !== undefined) left.set(name, { expr, origin })
  const first: Made[] = []
  for (;;) {
    const next = [...left].find(
      ([name, made]) =>
        isStep([name, made]) &&
        [...left].every(([other, each]) => other === name || !(columnsOf(each.expr)?.has(name) ?? true)),
    )
    if (next === undefined) return { first, rest: [...left] }
    left.delete(next[0])
    first.push(next)
  }
}
