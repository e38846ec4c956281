import type { Origin } from '../../../base/index.ts'
import { call, column, columnsOf, literal, rewriteExpr, type Expr } from '../../../plan/index.ts'
import { mathOf } from './from-plan-expr.ts'
import type { FromPlanOptions } from './from-plan-notes.ts'

/** A column that no expression gives any more. */
const LOST = 'lost'

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

/** `datetime_extract` of a column. */
export function partOf(expr: Expr): { readonly column: string; readonly part: string } | undefined {
  if (expr.kind !== 'call' || expr.name !== 'datetime-extract') return undefined
  const [from, part] = expr.args
  if (from?.kind !== 'column' || part?.kind !== 'literal' || typeof part.value !== 'string') return undefined
  return { column: from.name, part: part.value }
}

export type Made = readonly [string, { readonly expr: Expr; readonly origin: Origin }]

/** Whether arithmetic or a transform makes the column, beside all others. */
function isStep([, { expr }]: Made): boolean {
  return mathOf(expr) !== undefined || partOf(expr) !== undefined
}

/**
 * Columns made side by side: first those that arithmetic and transforms can make one after the other, none reading one
 * that was written over, then the rest.
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

/** Columns that are made when they are needed, each an expression over the columns of the rows so far. */
export class PendingColumns {
  readonly #options: FromPlanOptions
  readonly #columns = new Map<string, Pending>()
  /** How they came about, each over those before it; `undefined` when that is not known any more. */
  #log: Made[] | undefined = []

  constructor(options: FromPlanOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#columns.size
  }

  /** By the name that it was made under. */
  get(name: string): Pending | undefined {
    return this.#columns.get(name)
  }

  entries(): readonly (readonly [string, Pending])[] {
    return [...this.#columns]
  }

  /** Under any of its names. */
  #named(name: string): Pending | undefined {
    return this.#columns.get(name) ?? this.#columns.get(this.#options.aliases?.get(name) ?? name)
  }

  /** The expression over the columns below the pending ones; itself when it reads none of them. */
  inlined(expr: Expr): Expr {
    if (this.size === 0) return expr
    return rewriteExpr(expr, (each) => {
      const pending = each.kind === 'column' ? this.#named(each.name) : undefined
      return pending === undefined ? each : (pending.expr ?? literal(null, each.origin))
    })
  }

  /** A column that a stage makes; `inlined` is its expression over the columns below. */
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

  /** The column has been made. */
  settle(name: string): void {
    if (this.#columns.get(name)?.expr !== undefined) this.#columns.delete(name)
    this.#rebase()
  }

  clear(): void {
    this.#columns.clear()
    this.#log = []
  }

  /** After some have left: the others one after the other, where that is possible. */
  #rebase(): void {
    const { first, rest } = inOrder(this.#columns)
    this.#log = rest.length === 0 ? [...first] : undefined
  }

  /** Whether arithmetic and transforms make all of them. */
  get #isSimple(): boolean {
    return this.#log?.every(isStep) === true
  }

  /**
   * Those that can be made by themselves, in this order. None where the others need each other's old values: those can be
   * made only as they came about, all together.
   */
  separable(): readonly Made[] {
    const { first, rest } = inOrder(this.#columns)
    return rest.length > 0 && this.#isSimple ? [] : first
  }

  /** What arithmetic and transforms can make of all of them, in this order. */
  steps(): readonly Made[] {
    return this.#historicSteps() ?? inOrder(this.#columns).first
  }

  /** The steps in the order in which they came about, where the columns beside them can wait for them. */
  #historicSteps(): readonly Made[] | undefined {
    if (this.#log === undefined) return undefined
    const steps = this.#log.filter(isStep)
    const made = new Set(steps.map(([name]) => name))
    const others = new Set(this.#log.flatMap((each) => (isStep(each) ? [] : [each[0]])))
    const isReading = steps.some(([name, { expr }]) => others.has(name) || readsAny(expr, others))
    const isRead = this.entries().some(
      ([name, { expr }]) => !made.has(name) && expr !== undefined && readsAny(expr, made),
    )
    return isReading || isRead ? undefined : steps
  }

  /** Of the separable ones those that are read, and those made of what these write over. */
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

  /** Whether predicates or expressions read a column that is pending. */
  isReadBy(exprs: readonly Expr[]): boolean {
    if (this.size === 0) return false
    const reads = (expr: Expr): boolean =>
      [...(columnsOf(expr) ?? this.#columns.keys())].some((name) => this.#named(name) !== undefined)
    return exprs.some((expr) => filterReads(expr, this.#textField, reads))
  }

  /** Whether another one is made of what is called so below. */
  isReadBesides(alias: string): boolean {
    return this.#madeOf([alias]).some(([name]) => name !== alias)
  }

  #madeOf(names: readonly string[]): readonly (readonly [string, Pending])[] {
    const read = new Set(names)
    return this.entries().filter(([, { expr }]) => expr !== undefined && readsAny(expr, read))
  }

  /** Whether some are made of these columns, and all can be made before these are written over. */
  canBeSaved(names: readonly string[]): boolean {
    return this.#madeOf(names).length > 0 && this.#isSimple
  }

  /** These columns are written over, and what is pending under their names or made of them is lost. */
  overwrite(names: readonly string[]): void {
    for (const name of names) this.#columns.delete(name)
    for (const [name, { origin }] of this.#madeOf(names)) {
      this.#columns.set(name, { expr: call(LOST, [], origin), origin })
    }
    this.#rebase()
  }
}
