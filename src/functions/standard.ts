import { Registry, type Functions } from './registry.ts'
import { rowImplementations } from './rows/implementations.ts'
import { scalarFunctions } from './scalar/index.ts'
import { statsImplementations } from './stats/implementations.ts'
import { tableImplementations } from './tables/implementations.ts'

/** All standard functions with their code. */
export const standardFunctions: Functions = {
  scalar: new Registry(scalarFunctions),
  stats: new Registry(statsImplementations),
  rows: new Registry(rowImplementations),
  tables: new Registry(tableImplementations),
}
