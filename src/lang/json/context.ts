import { atPath, type Diagnostic, type JsonPath, type Origin } from '../../base/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'

/** Names of functions; passed in, since functions are on the same layer. */
export interface FunctionNames {
  /** Registry name of a stats function. */
  readonly stats: (name: string) => string | undefined
  /** Registry name of a scalar function. */
  readonly scalar: (name: string) => string | undefined
  readonly all: () => Iterable<string>
}

export interface JsonLowering {
  readonly functions: FunctionNames
  /** Scan of a domain (`logs` if `undefined`) with the conditions for every scan. */
  readonly source: (domain: string | undefined, origin: Origin) => LogicalPlan
  readonly diagnostics: Diagnostic[]
}

export function origin(path: JsonPath): Origin {
  return atPath(path)
}
