import type { JsonValue } from '../base/index.ts'
import type { RowFunction, ScalarFunction, StatsFunction, TableFunction } from './definition.ts'

/** Definitions by name and alias, case-insensitive as keywords are. */
export class Registry<D extends { readonly name: string; readonly aliases?: readonly string[] }> {
  readonly #byName = new Map<string, D>()
  /** In the order of the list. */
  readonly all: readonly D[]

  constructor(definitions: readonly D[]) {
    this.all = definitions
    for (const definition of definitions) {
      for (const name of [definition.name, ...(definition.aliases ?? [])])
        this.#byName.set(name.toLowerCase(), definition)
    }
  }

  get(name: string): D | undefined {
    return this.#byName.get(name) ?? this.#byName.get(name.toLowerCase())
  }

  /** Names and aliases. */
  names(): readonly string[] {
    return [...this.#byName.keys()]
  }
}

export interface Functions {
  readonly scalar: Registry<ScalarFunction>
  readonly stats: Registry<StatsFunction>
  readonly rows: Registry<RowFunction<JsonValue>>
  readonly tables: Registry<TableFunction<JsonValue>>
}
