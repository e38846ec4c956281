import { nowhere, present, type Origin } from '../../../base/index.ts'
import type { Schema } from '../../../data/index.ts'
import { column, columnsOf, literal, type Expr, type SortKey } from '../../../plan/index.ts'
import type { FilterGroup, MathExpression, Pipeline, Selector } from '../../../wire/index.ts'
import { chainOf, mathOf, type Chain } from './from-plan-expr.ts'
import { PendingColumns, partOf, readsStreamName, sizeOf } from './from-plan-pending.ts'
import { FilterWriter } from './from-plan-filter.ts'
import type { FromPlanNotes } from './from-plan-notes.ts'
import { Selection } from './from-plan-selection.ts'

/** The order in which the members of one pipeline run. */
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

/** Larger expressions are written down before they are used again. */
const MAX_NODES = 200

/**
 * A pipeline under construction: stages fill its members in their order, and one that comes too late makes it the `from`
 * of another. Columns that stages make are kept as expressions over the columns so far, so that those that a selector,
 * a key or an aggregate can hold go there.
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

  /** Whether the member can still be filled. */
  #isFree(slot: number, isRepeatable = false): boolean {
    return this.#rank < slot || (isRepeatable && this.#rank === slot)
  }

  /** Makes room for a member: in this pipeline, or in one around it. */
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

  /** Writes an open selection into the body. */
  #close(): void {
    this.#selection?.write(this.#body, this.notes)
    this.#selection = undefined
  }

  /** The expression over the columns below the pending ones. */
  inlined(expr: Expr): Expr {
    return this.#pending.inlined(expr)
  }

  chain(expr: Expr): Chain | undefined {
    return chainOf(this.inlined(expr), this.notes.options.functions)
  }

  assign(name: string, expr: Expr, origin: Origin, schema: Schema): void {
    if (readsStreamName(expr)) this.flush(schema)
    let made = this.inlined(expr)
    // What only stands on top of another column can be held once that column is made.
    const isWorse = made !== expr && !this.#isHeld(made) && this.#isHeld(expr)
    if (isWorse || (made !== expr && sizeOf(made) > MAX_NODES)) {
      this.flushRead([expr], schema)
      made = this.inlined(expr)
    }
    this.#pending.set(name, expr, made, origin)
    // A part of a time is a transform as long as there can be one.
    const isFree = partOf(made) !== undefined && this.#rank <= slots.transforms && !this.#pending.isReadBesides(name)
    if (isFree && this.#pending.separable().some(([alias]) => alias === name)) this.#make(name, made)
  }

  #isHeld(expr: Expr): boolean {
    return chainOf(expr, this.notes.options.functions) !== undefined || mathOf(expr) !== undefined
  }

  drop(name: string, origin: Origin): void {
    this.#pending.drop(name, origin)
  }

  /** Makes the pending columns that these read, all others too where it must. */
  flushRead(exprs: readonly Expr[], schema: Schema): void {
    if (!this.#pending.isReadBy(exprs)) return
    for (const [alias, { expr }] of this.#pending.neededFor(exprs)) this.#make(alias, expr)
    if (this.#pending.isReadBy(exprs)) this.flush(schema)
  }

  /** Before these columns are written over: makes what is made of them, where that is possible. */
  save(names: readonly string[], schema: Schema): void {
    if (this.#pending.canBeSaved(names)) this.flush(schema)
  }

  /** These columns are written over, and what is pending under their names or made of them is lost. */
  overwrite(names: readonly string[]): void {
    this.#pending.overwrite(names)
  }

  /** Makes the pending columns without which no selector can hold these. */
  hold(exprs: readonly Expr[], schema: Schema): void {
    if (exprs.some(readsStreamName)) this.flush(schema)
    const loose = exprs.filter((expr) => expr.kind !== 'columns' && this.chain(expr) === undefined)
    this.flushRead(loose, schema)
  }

  /** Keys to sort or limit by, as selectors; makes columns where none can hold them. */
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

  /** Makes what would otherwise need a pipeline around this one. */
  #settle(schema: Schema): void {
    if (this.#pending.size === 0 || this.#rank > slots.math) return
    const { functions } = this.notes.options
    const chains = new Map(this.#pending.entries().map(([name, { expr }]) => [name, expr && chainOf(expr, functions)]))
    const isComposed = this.isSelecting && [...chains].some(([name, chain]) => chain?.key === name)
    if (isComposed && [...chains.values()].every((chain) => chain !== undefined)) this.flush(schema)
    this.makeArithmetic()
  }

  /** Makes what only arithmetic can make, as far as nothing that waits reads what it writes over. */
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

  /** Rows `[offset, offset + limit)` of those so far, which may be such rows already. */
  limit(offset: number, limit: number | undefined, schema: Schema): void {
    this.#settle(schema)
    // How many rows are left of a limit behind an offset depends on both, which parameters may be.
    const body = this.place(slots.limit, offset === 0 || this.#body.limit === undefined)
    const before = body.offset ?? 0
    const rows = body.limit === undefined ? limit : Math.min(body.limit, limit ?? Infinity)
    if (before + offset > 0) body.offset = before + offset
    if (rows !== undefined) body.limit = rows
  }

  /** The selection of this pipeline as far as it can still change. */
  get selection(): Selection | undefined {
    return this.#selection
  }

  /** A selection over the rows so far, whatever there is already. */
  freshSelection(selection: Selection): void {
    this.openSelection(selection)
    this.#pending.clear()
  }

  /** As `freshSelection`; pending columns stay so. */
  openSelection(selection: Selection): void {
    this.place(slots.selection)
    this.#selection = selection
  }

  get isSelecting(): boolean {
    return this.#rank === slots.selection && this.#selection !== undefined
  }

  /** The rows as exactly these columns. */
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

  /** Whether another column that is wanted is made of the old value of this one. */
  #isReadBeside(name: string, wanted: readonly string[]): boolean {
    return wanted.some((other) => {
      const expr = other === name ? undefined : this.#pending.get(other)?.expr
      return expr !== undefined && columnsOf(expr)?.has(name) === true
    })
  }

  /** Makes a column under a name that nothing reads, so that its own keeps the old value until a selection shows both. */
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

  /** Makes all columns that are pending, so that the next stage finds them. */
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

  /** As `flush`, by members that keep all other columns where there are such. */
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

  /** Writes one pending column into the body, beside all others. */
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

  /** Columns by name, which is the only way to make some; possible when it is known which there are. */
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

  /** Drops go below what only orders and cuts rows, unless that reads the column. */
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

  /** The pipeline, every column made. */
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
