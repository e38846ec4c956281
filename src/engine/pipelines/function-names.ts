import type { FunctionDefinitions } from '../../functions/index.ts'
import type { FunctionNames } from '../../lang/json/index.ts'

/** Returns the names of the functions that JSON pipelines can use. */
export function functionNamesOf({ stats, scalar }: FunctionDefinitions): FunctionNames {
  return {
    stats: (name) => stats.get(name)?.name,
    scalar: (name) => scalar.get(name)?.name,
    all: () => [...stats.names(), ...scalar.names()],
  }
}
