import type { FunctionDoc, ScalarFunction } from '../definition.ts'
import type { Value } from '../../data/index.ts'

/** Defines a scalar function whose arguments and result are numbers. */
export function numericFunction(
  name: string,
  argCount: readonly [number, number],
  evaluate: (args: readonly Value[]) => Value,
  doc: FunctionDoc,
): ScalarFunction {
  return {
    name,
    aliases: [],
    signature: { params: [], minArgs: argCount[0], maxArgs: argCount[1] },
    returns: () => 'number',
    evaluate,
    doc,
  }
}

/** Returns the documentation of a function: a summary and an example query. */
export function doc(
  summary: string,
  query: string,
  ...parameters: readonly (readonly [string, string])[]
): FunctionDoc {
  return { summary, parameters: parameters.map(([name, text]) => ({ name, text })), examples: [{ query }] }
}
