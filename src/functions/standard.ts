import { Registry, type Functions } from './registry.ts'
import { rowFunctions } from './rows/index.ts'
import { scalarFunctions } from './scalar/index.ts'
import { statsFunctions } from './stats/index.ts'
import { tableFunctions } from './tables/index.ts'

/** All functions there are. */
export const standardFunctions: Functions = {
  scalar: new Registry(scalarFunctions),
  stats: new Registry(statsFunctions),
  rows: new Registry(rowFunctions),
  tables: new Registry(tableFunctions),
}
