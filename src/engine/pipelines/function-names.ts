import type { FunctionDefinitions } from '../../functions/index.ts'
import type { FunctionNames } from '../../lang/json/index.ts'

/** The names that structured queries may use. */
export function functionNamesOf({ stats, scalar }: FunctionDefinitions): FunctionNames {
  return {
    stats: (name) => stats.get(name)?.name,
    scalar: (name) => scalar.get(name)?.name,
    all: () => [...stats.names(), ...scalar.names()],
  }
}
