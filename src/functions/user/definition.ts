import { Options } from '../../base/index.ts'
import type { DataType, Value } from '../../data/index.ts'
import type { FunctionDoc, Signature } from '../definition.ts'
import { refuseDefinition } from '../diagnostics.ts'
import { argumentAs, type ArgumentType, type ArgumentTypes } from './values.ts'

/** One parameter of a user-defined function. */
export interface Parameter {
  readonly name: string
  readonly type: ArgumentType
  /** Description of the parameter for the documentation. */
  readonly text?: string
  /**
   * True if the argument may be omitted; the function then receives `undefined`. All later parameters must be optional
   * too.
   */
  readonly isOptional?: boolean
  /** True if the argument must be a literal in the query. Literal parameters must come first. */
  readonly isLiteral?: boolean
  /** True if the argument may be repeated; allowed only for the last parameter. */
  readonly isRest?: boolean
}

type Given<P extends Parameter> = ArgumentTypes[P['type']]

/** Types of the arguments of a parameter list. */
export type ArgumentsOf<P extends readonly Parameter[]> = P extends readonly [
  infer First extends Parameter,
  ...infer Rest extends readonly Parameter[],
]
  ? First extends { readonly isRest: true }
    ? Given<First>[]
    : First extends { readonly isOptional: true }
      ? [value?: Given<First>, ...rest: ArgumentsOf<Rest>]
      : [value: Given<First>, ...rest: ArgumentsOf<Rest>]
  : []

export interface UserDoc {
  /** Describes the function in one sentence. */
  readonly summary: string
  /** Example queries for the documentation. */
  readonly examples?: readonly string[]
}

export const docOptions = new Options<UserDoc>({ summary: 'string', examples: 'list' }, ['summary'])

const parameterOptions = new Options<Parameter>(
  { name: 'string', type: 'any', text: 'string', isOptional: 'boolean', isLiteral: 'boolean', isRest: 'boolean' },
  ['name', 'type'],
)

const NAME = /^[a-z_][a-z0-9_]*$/

/** Checks the name of a user-defined function and the order of its parameters. */
export function checkDefinition(
  what: string,
  name: string,
  parameters: readonly Parameter[],
  isTaken: (name: string) => boolean,
): void {
  const refuse = (reason: string): never => refuseDefinition(what, name, reason)
  if (!NAME.test(name)) refuse('a name has small letters, digits and `_`, and begins with no digit')
  if (isTaken(name)) refuse('there is a standard function of this name')
  const seen = new Set<string>()
  for (const [i, parameter] of parameters.entries()) {
    parameterOptions.check(parameter, `the parameter ${i + 1} of \`${name}\``)
    const before = parameters[i - 1]
    const shown = `the parameter \`${parameter.name}\``
    if (parameter.isLiteral === true && (parameter.isOptional === true || parameter.isRest === true))
      refuse(`${shown} is a literal, so it must be given`)
    if (parameter.isLiteral === true && parameter.type !== 'string' && parameter.type !== 'number')
      refuse(`${shown} is a literal, so it is a \`string\` or a \`number\``)
    if (seen.has(parameter.name)) refuse(`${shown} stands twice`)
    seen.add(parameter.name)
    if (before === undefined) continue
    if (before.isRest === true) refuse(`${shown} stands behind the one that takes the rest`)
    if (parameter.isLiteral === true && before.isLiteral !== true)
      refuse(`${shown} is a literal behind one that is not`)
    if (before.isOptional === true && parameter.isOptional !== true && parameter.isRest !== true)
      refuse(`${shown} is required behind an optional one`)
  }
}

const dataTypes: { readonly [T in ArgumentType]: DataType } = {
  any: 'any',
  string: 'string',
  number: 'number',
  bool: 'bool',
}

export function signatureOf(parameters: readonly Parameter[]): Signature {
  const literals = parameters.filter(({ isLiteral }) => isLiteral === true)
  const args = parameters.filter(({ isLiteral }) => isLiteral !== true)
  return {
    params: literals.map(({ name, type, isOptional = false }) => ({ name, type: dataTypes[type], isOptional })),
    minArgs: args.filter(({ isOptional, isRest }) => isOptional !== true && isRest !== true).length,
    maxArgs: args.some(({ isRest }) => isRest === true) ? Infinity : args.length,
  }
}

export function docOf({ summary, examples = [] }: UserDoc, parameters: readonly Parameter[]): FunctionDoc {
  return {
    summary,
    parameters: parameters.map(({ name, isRest, text = '' }) => ({ name: isRest === true ? `${name}…` : name, text })),
    examples: examples.map((query) => ({ query })),
  }
}

/** Converts values to the types of the parameters. Values beyond the parameters get the type of the last parameter. */
export function typed(parameters: readonly Parameter[], values: readonly Value[]): unknown[] {
  return values.map((value, i) => argumentAs((parameters[i] ?? parameters.at(-1))?.type ?? 'any', value))
}
