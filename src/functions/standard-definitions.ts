import { Registry, type FunctionDefinitions } from './registry.ts'
import { rowFunctions } from './rows/index.ts'
import { scalarFunctions } from './scalar/index.ts'
import { statsFunctions } from './stats/index.ts'
import { tableFunctions } from './tables/index.ts'

/** Definitions of all standard functions without their code. */
export const standardDefinitions: FunctionDefinitions = {
  scalar: new Registry(scalarFunctions),
  stats: new Registry(statsFunctions),
  rows: new Registry(rowFunctions),
  tables: new Registry(tableFunctions),
}
