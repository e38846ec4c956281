import { nowhere, present, type Origin } from '../../../base/index.ts'
import type { Schema } from '../../../data/index.ts'
import { column, columnsOf, literal, type Expr, type SortKey } from '../../../plan/index.ts'
import type { FilterGroup, MathExpression, Pipeline, Selector } from '../../../wire/index.ts'
import { chainOf, mathOf, type Chain } from './from-plan-expr.ts'
import { PendingColumns, partOf, readsStreamName, sizeOf } from './from-plan-pending.ts'
import { FilterWriter } from './from-plan-filter.ts'
import type { FromPlanNotes } from './from-plan-notes.ts'
import { Selection } from './from-plan-selection.ts'

/** Position of each pipeline member in the order of execution. */
export const slots = {
  source: 0,
  transforms: 1,
  filters: 2,
  sample: 3,
  selection: 4,
  math: 5,
  having: 6,
  except: 7,
  order: 8,
  limitBy: 9,
  limit: 10,
} as const

/** Maximum number of nodes of an expression that is inlined into several others; larger expressions become columns. */
const MAX_NODES = 200

/**
 * Builds a JSON pipeline from the stages of a plan. Each stage fills the next member of the pipeline. A stage that does
 * not fit the order of members starts a new pipeline, which reads the old one through `from`. Computed columns stay
 * pending: they are kept as expressions over earlier columns, so that a selector, key or aggregate can contain them.
 */
export class PipelineBuilder {
  readonly notes: FromPlanNotes
  #body: Pipeline
  #rank: number = slots.source
  #selection: Selection | undefined
  readonly #pending: PendingColumns

  constructor(notes: FromPlanNotes, body: Pipeline) {
    this.notes = notes
    this.#pending = new PendingColumns(notes.options)
    this.#body = body
  }

  /** True if the member in this slot can still be filled without an outer pipeline. */
  #isFree(slot: number, isRepeatable = false): boolean {
    return this.#rank < slot || (isRepeatable && this.#rank === slot)
  }

  /**
   * Returns the pipeline whose member in this slot can be filled: the current pipeline, or else a new one that reads
   * it.
   */
  place(slot: number, isRepeatable = false): Pipeline {
    if (!this.#isFree(slot, isRepeatable)) this.#wrap()
    if (slot > slots.selection) this.#close()
    this.#rank = slot
    return this.#body
  }

  #wrap(): void {
    this.#close()
    if (Object.keys(this.#body).length > 0) this.#body = { from: this.#body }
    this.#rank = slots.source
  }

  /** Writes the current selection to the body, if there is one. After that, the selection cannot change. */
  #close(): void {
    this.#selection?.write(this.#body, this.notes)
    this.#selection = undefined
  }

  /**
   * Replaces pending columns in an expression by their definitions, so that the expression reads only existing columns
   * of the rows.
   */
  inlined(expr: Expr): Expr {
    return this.#pending.inlined(expr)
  }

  chain(expr: Expr): Chain | undefined {
    return chainOf(this.inlined(expr), this.notes.options.functions)
  }

  assign(name: string, expr: Expr, origin: Origin, schema: Schema): void {
    if (readsStreamName(expr)) this.flush(schema)
    let made = this.inlined(expr)
    // True if a body can hold `expr` as written, but not its inlined form. The columns that `expr` reads are then
    // computed first.
    const isWorse = made !== expr && !this.#isHeld(made) && this.#isHeld(expr)
    if (isWorse || (made !== expr && sizeOf(made) > MAX_NODES)) {
      this.flushRead([expr], schema)
      made = this.inlined(expr)
    }
    this.#pending.set(name, expr, made, origin)
    // A part of a time, such as the hour, is written as a transform if transforms can still be added.
    const isFree = partOf(made) !== undefined && this.#rank <= slots.transforms && !this.#pending.isReadBesides(name)
    if (isFree && this.#pending.separable().some(([alias]) => alias === name)) this.#make(name, made)
  }

  #isHeld(expr: Expr): boolean {
    return chainOf(expr, this.notes.options.functions) !== undefined || mathOf(expr) !== undefined
  }

  drop(name: string, origin: Origin): void {
    this.#pending.drop(name, origin)
  }

  /** Computes the pending columns that these expressions read, and those that could not be computed afterwards. */
  flushRead(exprs: readonly Expr[], schema: Schema): void {
    if (!this.#pending.isReadBy(exprs)) return
    for (const [alias, { expr }] of this.#pending.neededFor(exprs)) this.#make(alias, expr)
    if (this.#pending.isReadBy(exprs)) this.flush(schema)
  }

  /**
   * Computes all pending columns if arithmetic and transforms suffice and one of the columns depends on `names`. Must
   * be called before the columns in `names` are overwritten.
   */
  save(names: readonly string[], schema: Schema): void {
    if (this.#pending.canBeSaved(names)) this.flush(schema)
  }

  /** Marks columns as overwritten: removes pending columns of these names, and marks those that read them as lost. */
  overwrite(names: readonly string[]): void {
    this.#pending.overwrite(names)
  }

  /** Computes the pending columns in these expressions that a selector cannot contain. */
  hold(exprs: readonly Expr[], schema: Schema): void {
    if (exprs.some(readsStreamName)) this.flush(schema)
    const loose = exprs.filter((expr) => expr.kind !== 'columns' && this.chain(expr) === undefined)
    this.flushRead(loose, schema)
  }

  /**
   * Returns sort or limit keys as selectors. Computes a column for each key that no selector can contain. Returns
   * `undefined` if that is impossible.
   */
  selectorsOf(exprs: readonly Expr[], schema: Schema): Selector[] | undefined {
    this.hold(exprs, schema)
    const chains = exprs.map((expr) => this.chain(expr))
    return chains.every((chain) => chain !== undefined) ? chains.map(selectorOf) : undefined
  }

  filter(predicate: Expr, schema: Schema): void {
    this.flushRead([predicate], schema)
    const group = new FilterWriter(this.notes, schema).group(predicate)
    if (group === undefined) return
    if (this.#rank >= slots.selection && this.#isFree(slots.having, true)) {
      const body = this.place(slots.having, true)
      body.having = both(body.having, group)
      return
    }
    const body = this.place(slots.filters, true)
    body.filters = both(body.filters, group)
  }

  /** Computes those pending columns that would need an outer pipeline if computed after the next member. */
  #settle(schema: Schema): void {
    if (this.#pending.size === 0 || this.#rank > slots.math) return
    const { functions } = this.notes.options
    const chains = new Map(this.#pending.entries().map(([name, { expr }]) => [name, expr && chainOf(expr, functions)]))
    const isComposed = this.isSelecting && [...chains].some(([name, chain]) => chain?.key === name)
    if (isComposed && [...chains.values()].every((chain) => chain !== undefined)) this.flush(schema)
    this.makeArithmetic()
  }

  /**
   * Computes pending columns that need arithmetic, except those that would overwrite a column that another pending
   * column reads.
   */
  makeArithmetic(): void {
    for (const [alias, { expr }] of this.#pending.separable()) {
      const isChain = chainOf(expr, this.notes.options.functions) !== undefined
      if (!isChain && !this.#pending.isReadBesides(alias)) this.#make(alias, expr)
    }
  }

  order(keys: readonly SortKey[], schema: Schema, origin: Origin): void {
    this.#settle(schema)
    const selectors = this.selectorsOf(
      keys.map(({ expr }) => expr),
      schema,
    )
    if (selectors === undefined) {
      this.notes.fail('a sort by such a key', 'Make it a column first, with `math` or in `stats`.', origin)
      return
    }
    this.place(slots.order).orderBy = selectors.map((selector, i) => ({
      direction: present(keys[i]).direction,
      selector,
    }))
  }

  limitBy(exprs: readonly Expr[], offset: number, limit: number, schema: Schema, origin: Origin): void {
    this.#settle(schema)
    const selectors = this.selectorsOf(exprs, schema)
    if (selectors === undefined) {
      this.notes.fail('a limit by such a key', 'Make it a column first, with `math` or in `stats`.', origin)
      return
    }
    this.place(slots.limitBy).limitBy = { limit, selectors, ...(offset > 0 ? { offset } : {}) }
  }

  /** Keeps rows `[offset, offset + limit)` of the current rows, which may already be limited. */
  limit(offset: number, limit: number | undefined, schema: Schema): void {
    this.#settle(schema)
    // An offset after a limit needs an outer pipeline, because the combined limit would depend on both values, which
    // may be parameters.
    const body = this.place(slots.limit, offset === 0 || this.#body.limit === undefined)
    const before = body.offset ?? 0
    const rows = body.limit === undefined ? limit : Math.min(body.limit, limit ?? Infinity)
    if (before + offset > 0) body.offset = before + offset
    if (rows !== undefined) body.limit = rows
  }

  /** The selection of the current pipeline; `undefined` if there is none, or if the selection can no longer change. */
  get selection(): Selection | undefined {
    return this.#selection
  }

  /** Computes the pending columns and starts a new selection over the current rows. */
  freshSelection(selection: Selection): void {
    this.openSelection(selection)
    this.#pending.clear()
  }

  /** Starts a new selection over the current rows like `freshSelection`, but leaves pending columns pending. */
  openSelection(selection: Selection): void {
    this.place(slots.selection)
    this.#selection = selection
  }

  get isSelecting(): boolean {
    return this.#rank === slots.selection && this.#selection !== undefined
  }

  /** Keeps only the named columns, in this order. */
  project(names: readonly string[], schema: Schema, origin: Origin): void {
    const { functions } = this.notes.options
    if (schema.isOpen && names.some((name) => readsStreamName(column(name)))) this.flush(schema)
    const open = this.isSelecting ? this.#selection : undefined
    const chains = new Map<string, Chain>()
    for (const name of names) {
      const pending = this.#pending.get(name)
      const expr = pending === undefined ? column(name) : (pending.expr ?? literal(null))
      const chain = chainOf(expr, functions)
      if (chain === undefined) {
        if (pending?.expr === undefined) {
          this.notes.fail(`the column \`${name}\`, which was dropped`, 'Leave it out of the list.', origin)
          return
        }
        const isMath = mathOf(pending.expr) !== undefined
        if (isMath && this.#isReadBeside(name, names)) this.#makeElsewhere(name, pending.expr, names)
        else this.flushRead([column(name)], schema)
        this.project(names, schema, origin)
        return
      }
      chains.set(name, chain)
    }
    const items = open?.shown(chains)
    if (open !== undefined && items !== undefined) {
      open.show(items)
      this.#pending.clear()
      return
    }
    const selection = new Selection()
    for (const [name, { key, steps }] of chains) selection.items.push({ kind: 'column', name, key, steps })
    this.freshSelection(selection)
  }

  /** True if another wanted column reads the existing column of this name. */
  #isReadBeside(name: string, wanted: readonly string[]): boolean {
    return wanted.some((other) => {
      const expr = other === name ? undefined : this.#pending.get(other)?.expr
      return expr !== undefined && columnsOf(expr)?.has(name) === true
    })
  }

  /**
   * Computes a column under a temporary name, so that the old value stays readable. The selection renames the column.
   */
  #makeElsewhere(name: string, expr: Expr, wanted: readonly string[]): void {
    const exprs = this.#pending.entries().flatMap(([, pending]) => pending.expr ?? [])
    const isTaken = (alias: string): boolean =>
      wanted.includes(alias) ||
      this.#pending.get(alias) !== undefined ||
      exprs.some((each) => columnsOf(each)?.has(alias) === true)
    let number = 0
    while (isTaken(`_made_${number}`)) number++
    const alias = `_made_${number}`
    this.#make(alias, expr)
    this.#pending.set(name, column(alias), column(alias), nowhere)
  }

  /** Computes all pending columns, so that the next stage can read them. */
  flush(schema: Schema): void {
    if (this.#pending.size === 0) return
    if (!schema.isOpen && (this.isSelecting || this.#rank > slots.math)) {
      const names = schema.fields.map(({ name }) => name)
      const isHeld = this.#pending
        .entries()
        .every(([, { expr }]) => expr === undefined || chainOf(expr, this.notes.options.functions) !== undefined)
      if (isHeld && names.length > 0) {
        this.project(names, schema, nowhere)
        return
      }
    }
    this.#materialize(schema)
  }

  /**
   * Computes all pending columns like `flush`. Prefers arithmetic and transforms, which leave other columns unchanged,
   * to a selection of all columns.
   */
  #materialize(schema: Schema): void {
    for (const [alias, { expr }] of this.#pending.steps()) this.#make(alias, expr)
    const left = this.#pending.entries()
    if (left.some(([, { expr }]) => expr !== undefined)) {
      this.#name(schema)
      return
    }
    const dropped = left.flatMap(([name, { expr }]) => (expr === undefined ? [name] : []))
    this.#pending.clear()
    if (dropped.length > 0) this.#except(dropped)
  }

  /** Writes one pending column to the body as arithmetic or a transform, which leaves all other columns unchanged. */
  #make(alias: string, expr: Expr): void {
    this.#pending.settle(alias)
    const part = partOf(expr)
    const math = mathOf(expr)
    if (math !== undefined) {
      const body = this.place(slots.math, true)
      const item: MathExpression = { alias, ...math, keepExisting: true }
      body.mathExpression = [...(body.mathExpression ?? []), item]
    } else if (part !== undefined) {
      const body = this.place(slots.transforms, true)
      const transform = { type: 'datetime_extract', alias, sourceColumn: part.column, args: [part.part] }
      body.transforms = [...(body.transforms ?? []), transform]
    }
  }

  /** Computes the pending columns by a selection that lists every column. Requires that all columns are known. */
  #name(schema: Schema): void {
    const { functions } = this.notes.options
    const entries = this.#pending.entries()
    this.#pending.clear()
    const made = new Map<string, Chain>()
    let isHeld = true
    for (const [name, { expr, origin }] of entries) {
      if (expr === undefined) continue
      const chain = chainOf(expr, functions)
      if (chain !== undefined) made.set(name, chain)
      if (chain === undefined || schema.isOpen) {
        isHeld = false
        this.notes.fail(
          chain === undefined
            ? `the column \`${name}\` as it is computed here`
            : `the column \`${name}\` beside all other fields`,
          chain === undefined
            ? 'It has arithmetic on columns, and functions of one column and given values.'
            : 'Name the columns that you want with `fields`, or group with `stats`.',
          origin,
        )
      }
    }
    if (!isHeld) return
    const selection = new Selection()
    for (const { name } of schema.fields) {
      const { key, steps } = made.get(name) ?? { key: name, steps: [] }
      selection.items.push({ kind: 'column', name, key, steps })
    }
    this.freshSelection(selection)
  }

  /** Drops columns. Adds them to an `except` below sorts and limits, unless these read a dropped column. */
  #except(names: readonly string[]): void {
    const read = new Set([
      ...(this.#body.orderBy ?? []).map(({ selector }) => selector?.key),
      ...(this.#body.limitBy?.selectors ?? []).map(({ key }) => key),
    ])
    if (this.isSelecting || (this.#rank > slots.except && names.some((name) => read.has(name)))) this.#wrap()
    this.#close()
    this.#rank = Math.max(this.#rank, slots.except)
    this.#body.except = [...(this.#body.except ?? []), ...names.map((key) => ({ key }))]
  }

  /** Computes all pending columns and returns the finished pipeline. */
  finish(schema: Schema): Pipeline {
    this.flush(schema)
    this.#close()
    return this.#body
  }
}

export function selectorOf({ key, steps }: Chain): Selector {
  return steps.length === 0 ? { key } : { key, processors: [...steps] }
}

function both(before: FilterGroup | undefined, group: FilterGroup): FilterGroup {
  return before === undefined ? group : { operator: 'and', groups: [before, group] }
}
