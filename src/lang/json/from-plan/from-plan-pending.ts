import type { Origin } from '../../../base/index.ts'
import { call, column, columnsOf, literal, rewriteExpr, type Expr } from '../../../plan/index.ts'
import { mathOf } from './from-plan-expr.ts'
import type { FromPlanOptions } from './from-plan-notes.ts'

/** Marks a pending column that can no longer be computed, because a column that it reads was overwritten. */
const LOST = 'lost'

/** A column that is computed only when it is needed. Without `expr`, the column is to be dropped. */
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

/**
 * True if an expression reads a stream name. Pending columns must then be computed first, because the name is derived
 * from fields that they may replace.
 */
export function readsStreamName(expr: Expr): boolean {
  const columns = columnsOf(expr)
  return streamNames.some((name) => columns?.has(name) ?? false)
}

/** True if a test in a predicate reads an expression for which `reads` returns true. */
function filterReads(predicate: Expr, textField: string, reads: (expr: Expr) => boolean): boolean {
  let isRead = false
  rewriteExpr(predicate, (each) => {
    const all: Expr = { kind: 'columns', fields: { parts: ['', ''] }, origin: each.origin }
    if (each.kind === 'column') isRead ||= reads(streamNames.includes(each.name) ? all : each)
    else if (each.kind === 'any-field' || each.kind === 'stream-filter') isRead ||= reads(all)
    else if (each.kind === 'field-filter') {
      const [name = '', ...others] = each.field?.parts ?? [textField]
      isRead ||= reads(others.length === 0 && !streamNames.includes(name) ? column(name) : all)
    }
    return each
  })
  return isRead
}

/** Returns the column and part of a call of `datetime_extract` on a column; `undefined` for other expressions. */
export function partOf(expr: Expr): { readonly column: string; readonly part: string } | undefined {
  if (expr.kind !== 'call' || expr.name !== 'datetime-extract') return undefined
  const [from, part] = expr.args
  if (from?.kind !== 'column' || part?.kind !== 'literal' || typeof part.value !== 'string') return undefined
  return { column: from.name, part: part.value }
}

export type Made = readonly [string, { readonly expr: Expr; readonly origin: Origin }]

/** True if arithmetic or a transform can compute the column and leave all other columns unchanged. */
function isStep([, { expr }]: Made): boolean {
  return mathOf(expr) !== undefined || partOf(expr) !== undefined
}

/**
 * Splits columns whose expressions all read the old values. `first`: columns that arithmetic and transforms can compute
 * one after another without overwriting a column that is read later. `rest`: the others.
 */
function inOrder(pending: ReadonlyMap<string, Pending>): {
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

function readsAny(expr: Expr, names: ReadonlySet<string>): boolean {
  return [...(columnsOf(expr) ?? names)].some((name) => names.has(name))
}

/** The pending columns of a pipeline. Each is an expression over the columns that exist in the current rows. */
export class PendingColumns {
  readonly #options: FromPlanOptions
  readonly #columns = new Map<string, Pending>()
  /**
   * Log of assignments; each assignment reads the results of the earlier ones. `undefined` once the order is unknown.
   */
  #log: Made[] | undefined = []

  constructor(options: FromPlanOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#columns.size
  }

  /** Returns the pending column with exactly this name, without resolving aliases. */
  get(name: string): Pending | undefined {
    return this.#columns.get(name)
  }

  entries(): readonly (readonly [string, Pending])[] {
    return [...this.#columns]
  }

  /** Returns the pending column with this name or an alias of it. */
  #named(name: string): Pending | undefined {
    return this.#columns.get(name) ?? this.#columns.get(this.#options.aliases?.get(name) ?? name)
  }

  /** Replaces pending columns in an expression by their definitions. Returns the same expression if it reads none. */
  inlined(expr: Expr): Expr {
    if (this.size === 0) return expr
    return rewriteExpr(expr, (each) => {
      const pending = each.kind === 'column' ? this.#named(each.name) : undefined
      return pending === undefined ? each : (pending.expr ?? literal(null, each.origin))
    })
  }

  /**
   * Adds or replaces a pending column. `expr` is the expression as written; `inlined` is the same expression over
   * columns of the current rows only.
   */
  set(name: string, expr: Expr, inlined: Expr, origin: Origin): void {
    const isGone = (each: string): boolean => this.#columns.has(each) && this.#columns.get(each)?.expr === undefined
    const written = rewriteExpr(expr, (each) => (each.kind === 'column' && isGone(each.name) ? literal(null) : each))
    this.#log?.push([name, { expr: written, origin }])
    this.#columns.delete(name)
    this.#columns.set(name, { expr: inlined, origin })
  }

  drop(name: string, origin: Origin): void {
    this.#columns.delete(name)
    this.#columns.set(name, { expr: undefined, origin })
  }

  /** Removes a computed column from the pending columns. */
  settle(name: string): void {
    if (this.#columns.get(name)?.expr !== undefined) this.#columns.delete(name)
    this.#rebase()
  }

  clear(): void {
    this.#columns.clear()
    this.#log = []
  }

  /** Restarts the log of assignments with the columns that are still pending, or ends it. */
  #rebase(): void {
    const { first, rest } = inOrder(this.#columns)
    this.#log = rest.length === 0 ? [...first] : undefined
  }

  /** True if arithmetic and transforms can compute all pending columns. */
  get #isSimple(): boolean {
    return this.#log?.every(isStep) === true
  }

  /**
   * Returns the pending columns that can be computed one by one, in order. Empty if that leaves others, but all can be
   * computed together in the order of their assignments.
   */
  separable(): readonly Made[] {
    const { first, rest } = inOrder(this.#columns)
    return rest.length > 0 && this.#isSimple ? [] : first
  }

  /** Returns the pending columns that arithmetic and transforms can compute, in order. */
  steps(): readonly Made[] {
    return this.#historicSteps() ?? inOrder(this.#columns).first
  }

  /**
   * Returns all arithmetic and transform steps in the order of their assignments; `undefined` if the steps and the
   * other pending columns depend on each other.
   */
  #historicSteps(): readonly Made[] | undefined {
    if (this.#log === undefined) return undefined
    const steps = this.#log.filter(isStep)
    const made = new Set(steps.map(([name]) => name))
    const others = new Set(this.#log.flatMap((each) => (isStep(each) ? [] : [each[0]])))
    const readsOther = steps.some(([name, { expr }]) => others.has(name) || readsAny(expr, others))
    const isRead = this.entries().some(
      ([name, { expr }]) => !made.has(name) && expr !== undefined && readsAny(expr, made),
    )
    return readsOther || isRead ? undefined : steps
  }

  /**
   * Returns the separable columns that the expressions read, preceded by the columns that read a value which these
   * would overwrite.
   */
  neededFor(exprs: readonly Expr[]): readonly Made[] {
    const needed: Made[] = []
    for (const made of this.separable().toReversed()) {
      const [alias, { expr }] = made
      const names = columnsOf(expr)
      const isSpoilt = needed.some(([later]) => names?.has(later) ?? true)
      if (isSpoilt || this.#isReadIn(alias, exprs)) needed.unshift(made)
    }
    return needed
  }

  #isReadIn(alias: string, exprs: readonly Expr[]): boolean {
    const isThis = (name: string): boolean => name === alias || this.#options.aliases?.get(name) === alias
    const reads = (expr: Expr): boolean => [...(columnsOf(expr) ?? [alias])].some(isThis)
    return exprs.some((expr) => filterReads(expr, this.#textField, reads))
  }

  get #textField(): string {
    return this.#options.textField ?? 'content'
  }

  /** True if the expressions read a pending column. */
  isReadBy(exprs: readonly Expr[]): boolean {
    if (this.size === 0) return false
    const reads = (expr: Expr): boolean =>
      [...(columnsOf(expr) ?? this.#columns.keys())].some((name) => this.#named(name) !== undefined)
    return exprs.some((expr) => filterReads(expr, this.#textField, reads))
  }

  /** True if another pending column reads the existing column of this name, which must then not be overwritten yet. */
  isReadBesides(alias: string): boolean {
    return this.#madeOf([alias]).some(([name]) => name !== alias)
  }

  #madeOf(names: readonly string[]): readonly (readonly [string, Pending])[] {
    const read = new Set(names)
    return this.entries().filter(([, { expr }]) => expr !== undefined && readsAny(expr, read))
  }

  /**
   * True if a pending column depends on these columns, and arithmetic and transforms can compute all pending columns.
   */
  canBeSaved(names: readonly string[]): boolean {
    return this.#madeOf(names).length > 0 && this.#isSimple
  }

  /** Marks columns as overwritten: removes pending columns of these names, and marks those that read them as lost. */
  overwrite(names: readonly string[]): void {
    for (const name of names) this.#columns.delete(name)
    for (const [name, { origin }] of this.#madeOf(names)) {
      this.#columns.set(name, { expr: call(LOST, [], origin), origin })
    }
    this.#rebase()
  }
}
