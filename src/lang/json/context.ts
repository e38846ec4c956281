import { atPath, type Diagnostic, type JsonPath, type Origin } from '../../base/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'

/** The functions there are, by any of their names; given in, because functions stand on the same layer. */
export interface FunctionNames {
  /** The registry's name of a stats function. */
  readonly stats: (name: string) => string | undefined
  /** The registry's name of a scalar function. */
  readonly scalar: (name: string) => string | undefined
  readonly all: () => Iterable<string>
}

export interface JsonLowering {
  readonly functions: FunctionNames
  /** Records of a domain (`logs` when `undefined`), with what every scan must pass. */
  readonly source: (domain: string | undefined, origin: Origin) => LogicalPlan
  readonly diagnostics: Diagnostic[]
}

export function origin(path: JsonPath): Origin {
  return atPath(path)
}
