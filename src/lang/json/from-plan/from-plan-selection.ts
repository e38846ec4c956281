import type { FilterGroup, Pipeline, Processor, Selector } from '../../../wire/index.ts'
import type { Origin } from '../../../base/index.ts'
import type { Chain } from './from-plan-expr.ts'
import type { FromPlanNotes } from './from-plan-notes.ts'

/** One column of a selection: a plain column with steps, or an aggregate. */
export type Item =
  /** A plain column; in a grouped selection it is a group key. */
  | { readonly kind: 'column'; readonly name: string; readonly key: string; readonly steps: readonly Processor[] }
  | {
      readonly kind: 'aggregate'
      readonly name: string
      /** Argument of the aggregate; `undefined` if it counts rows. */
      readonly chain: Chain | undefined
      readonly call: Processor
      /** Name of the result if the query gives none. */
      readonly fn: string
      readonly filter: FilterGroup | undefined
      readonly after: readonly Processor[]
      /** Partition keys if the aggregate is a window function; `undefined` otherwise. */
      readonly partitionBy: readonly Selector[] | undefined
    }

type ColumnItem = Extract<Item, { kind: 'column' }>

/** Selectors and `groupBy` of one pipeline that is still being built. */
export class Selection {
  items: Item[] = []
  /** Group keys, both shown and hidden; `undefined` if the selection is not grouped. */
  keys: readonly ColumnItem[] | undefined
  /**
   * Set if the selection also keeps all columns that it does not list: origin of the part that requires this. Only a
   * list of plain columns can keep the others.
   */
  isOpenEnded: Origin | undefined

  /**
   * Replaces the shown items. Each shown group key takes the name of its item, because windows refer to keys by name.
   */
  show(items: Item[]): void {
    this.items = items
    this.isOpenEnded = undefined
    this.keys = this.keys?.map((key) => {
      const shown = items.find((item): item is ColumnItem => item.kind === 'column' && sameColumn(item, key))
      return shown === undefined ? key : { ...key, name: shown.name }
    })
  }

  /** True if a window's result may have this name without overwriting a column that another item reads. */
  takesName(name: string): boolean {
    return !this.items.some((item) => item.name === name && (item.kind === 'aggregate' || this.keys !== undefined))
  }

  /**
   * True if a window gives the same result inside this selection as above it. This holds for grouped selections and for
   * selections of unchanged columns.
   */
  get takesWindows(): boolean {
    if (this.keys !== undefined) return true
    return this.items.every((item) => item.kind === 'aggregate' || (item.name === item.key && item.steps.length === 0))
  }

  /**
   * Returns items that show the given columns, each a chain of steps on a column of this selection. `undefined` if this
   * selection cannot express them.
   */
  shown(chains: ReadonlyMap<string, Chain>): Item[] | undefined {
    const used = new Set<string>()
    const items: Item[] = []
    for (const [name, chain] of chains) {
      const item = this.#shownAs(name, chain, chains)
      // An aggregate that is shown twice would be computed twice.
      if (item === undefined || (item.kind === 'aggregate' && used.has(chain.key))) return undefined
      if (item.kind === 'aggregate') used.add(chain.key)
      items.push(item)
    }
    // Aggregates and windows that are not shown are not computed, so no shown item may read them.
    const shownKeys = new Set([...chains.values()].map(({ key }) => key))
    const cut = this.items.filter((item) => item.kind === 'aggregate' && !shownKeys.has(item.name))
    if (cut.length > 0 && items.some((item) => item.kind === 'aggregate' && item.partitionBy !== undefined))
      return undefined
    if (this.keys === undefined) {
      const isSpoilt = items.some((item) => item.kind === 'column' && cut.some(({ name }) => name === item.key))
      return isSpoilt ? undefined : items
    }
    const hidden = this.keys.filter((key) => !items.some((item) => item.kind === 'column' && sameColumn(item, key)))
    // `groupBy` finds a hidden key by its column name, so no shown item may have that name.
    const isClear = hidden.every(({ key, name }) => !items.some((item) => item.name === key || item.name === name))
    return isClear && (hidden.length === 0 || !this.#hasTwins()) ? items : undefined
  }

  #shownAs(name: string, { key, steps }: Chain, all: ReadonlyMap<string, Chain>): Item | undefined {
    const item = this.items.find((each) => each.name === key)
    if (item === undefined) return this.isOpenEnded === undefined ? undefined : { kind: 'column', name, key, steps }
    const windows = this.items.filter((each) => each.kind === 'aggregate' && each.partitionBy !== undefined)
    const isSame = name === key && steps.length === 0
    // In a selection, plain columns are computed after windows, so they may read the window's result by name.
    const itself = all.get(key)
    if (name !== key && this.keys === undefined && windows.includes(item) && itself?.key === key) {
      const isAbove = JSON.stringify(steps.slice(0, itself.steps.length)) === JSON.stringify(itself.steps)
      return isAbove ? { kind: 'column', name, key, steps: steps.slice(itself.steps.length) } : undefined
    }
    // A window reads its input columns by their names before this selection.
    const isRead =
      windows.length > 0 && (this.keys !== undefined || windows.includes(item)) && windows.some((w) => w !== item)
    if (isRead && !isSame) return undefined
    if (item.kind === 'aggregate') return { ...item, name, after: [...item.after, ...steps] }
    if (this.keys !== undefined && steps.length > 0) return undefined
    return { ...item, name, steps: [...item.steps, ...steps] }
  }

  #hasTwins(): boolean {
    const keys = (this.keys ?? []).map(({ key }) => key)
    return new Set(keys).size < keys.length
  }

  write(body: Pipeline, notes: FromPlanNotes): void {
    if (this.isOpenEnded !== undefined) {
      const instead = 'Name the columns that you want with `fields`.'
      notes.fail('an aggregate on every row beside all other fields', instead, this.isOpenEnded)
    }
    body.selectors = this.items.map((item) => this.#selector(item))
    if (this.keys === undefined || this.keys.length === 0) return
    const groupBy: Selector[] = []
    for (const key of this.keys) {
      const shown = this.items.filter((item) => item.kind === 'column' && sameColumn(item, key))
      if (shown.length === 0) groupBy.push(columnSelector(key, key.name !== key.key))
      else for (const { name } of shown) groupBy.push({ key: name })
    }
    body.groupBy = groupBy
  }

  #selector(item: Item): Selector {
    if (item.kind === 'column') {
      // If the name of one item is the column of another, both items get explicit aliases, so that `groupBy` finds the
      // right one.
      const twins = this.keys === undefined ? [] : this.items.filter((each) => each.kind === 'column' && each !== item)
      const isCrossed = twins.some(
        (each) => each.kind === 'column' && (each.key === item.key || each.name === item.key),
      )
      return columnSelector(item, isCrossed || item.name !== item.key)
    }
    const processors = [...(item.chain?.steps ?? []), item.call, ...item.after]
    return {
      key: item.chain?.key ?? '*',
      ...(item.name === item.fn ? {} : { alias: item.name }),
      processors,
      ...(item.filter === undefined ? {} : { conditionFilter: item.filter }),
      ...(item.partitionBy === undefined ? {} : { windowSpec: { partitionBy: [...item.partitionBy] } }),
    }
  }
}

function sameColumn(a: ColumnItem, b: ColumnItem): boolean {
  return a.key === b.key && JSON.stringify(a.steps) === JSON.stringify(b.steps)
}

function columnSelector({ name, key, steps }: ColumnItem, isNamed: boolean): Selector {
  return { key, ...(isNamed ? { alias: name } : {}), ...(steps.length === 0 ? {} : { processors: [...steps] }) }
}
