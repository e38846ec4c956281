import { atPath, type Diagnostic, type JsonPath, type Origin } from '../../base/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'

/**
 * Maps function names of JSON bodies to registry names. Supplied by callers, because the function registry is in the
 * same layer and cannot be imported here.
 */
export interface FunctionNames {
  /** Returns the registry name of a stats function; `undefined` if there is none. */
  readonly stats: (name: string) => string | undefined
  /** Returns the registry name of a scalar function; `undefined` if there is none. */
  readonly scalar: (name: string) => string | undefined
  readonly all: () => Iterable<string>
}

export interface JsonLowering {
  readonly functions: FunctionNames
  /**
   * Returns the scan of a domain, with the conditions that apply to every scan. A domain is a kind of data; default:
   * `logs`.
   */
  readonly source: (domain: string | undefined, origin: Origin) => LogicalPlan
  readonly diagnostics: Diagnostic[]
}

export function origin(path: JsonPath): Origin {
  return atPath(path)
}
