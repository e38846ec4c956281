import { Options } from '../../base/index.ts'
import type { DataType } from '../../data/index.ts'
import type { ScalarFunction, Volatility } from '../definition.ts'
import { Registry } from '../registry.ts'
import { scalarFunctions } from '../scalar/index.ts'
import {
  checkDefinition,
  docOf,
  docOptions,
  signatureOf,
  typed,
  type ArgumentsOf,
  type Parameter,
  type UserDoc,
} from './definition.ts'
import { guarded, valueFrom } from './values.ts'

export interface ScalarOptions<P extends readonly Parameter[]> {
  /** Name of the function: lower-case letters, digits and `_`. */
  readonly name: string
  readonly parameters: P
  readonly returns: DataType
  /**
   * Computes the result for one row. The arguments have the types of the parameters. Must return a value that
   * `valueFrom` accepts.
   */
  readonly evaluate: (...args: ArgumentsOf<P>) => unknown
  /** Stability of the result. Default: `immutable`, which means the same result for the same arguments at any time. */
  readonly volatility?: Volatility
  readonly doc: UserDoc
}

const scalarOptions = new Options<ScalarOptions<readonly Parameter[]>>(
  { name: 'string', parameters: 'list', returns: 'any', evaluate: 'function', volatility: 'any', doc: docOptions },
  ['name', 'parameters', 'returns', 'evaluate', 'doc'],
)

let standard: Registry<ScalarFunction> | undefined

/**
 * Defines a scalar function for `math`, `compute` and processors of JSON pipelines. Throws `function/bad-definition`.
 * An error in `evaluate` fails the query with `function/failed`.
 */
export function defineScalar<const P extends readonly Parameter[]>(options: ScalarOptions<P>): ScalarFunction {
  scalarOptions.check(options, '`defineScalar`')
  const { name, parameters, returns, evaluate, volatility = 'immutable', doc } = options
  standard ??= new Registry(scalarFunctions)
  checkDefinition('function', name, parameters, (taken) => standard?.get(taken) !== undefined)
  const run = evaluate as (...args: unknown[]) => unknown
  return Object.freeze({
    name,
    aliases: [],
    signature: signatureOf(parameters),
    returns: () => returns,
    evaluate: (values) =>
      valueFrom(
        name,
        guarded(name, () => run(...typed(parameters, values))),
      ),
    volatility,
    doc: docOf(doc, parameters),
  } satisfies ScalarFunction)
}
