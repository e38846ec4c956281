import type {
  RowFunction,
  RowImplementation,
  ScalarFunction,
  StatsFunction,
  StatsImplementation,
  TableFunction,
  TableImplementation,
} from './definition.ts'

/** Definitions that can be looked up by name or alias; case is ignored. */
export class Registry<D extends { readonly name: string; readonly aliases?: readonly string[] }> {
  readonly #byName = new Map<string, D>()
  /** All definitions, in list order. */
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

  /** Returns all names and aliases, in lower case. */
  names(): readonly string[] {
    return [...this.#byName.keys()]
  }
}

/** Definitions of functions without their code: enough to parse, check and plan a query. */
export interface FunctionDefinitions {
  readonly scalar: Registry<ScalarFunction>
  readonly stats: Registry<StatsFunction>
  readonly rows: Registry<RowFunction>
  readonly tables: Registry<TableFunction>
}

/** Functions with their code, for backends. */
export interface Functions extends FunctionDefinitions {
  readonly stats: Registry<StatsImplementation>
  readonly rows: Registry<RowImplementation>
  readonly tables: Registry<TableImplementation>
}
