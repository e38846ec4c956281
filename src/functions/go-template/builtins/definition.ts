import type { ExpansionBudget } from '../limits.ts'
import { ExpansionFault } from '../faults.ts'
import { GoStruct, GoTime, isList, SAMPLE, SAMPLES, typeName, type GoValue } from '../values.ts'

/**
 * Values that every function may read in addition to its arguments. Languages that use templates extend this interface.
 */
export interface CallContext {
  readonly budget: ExpansionBudget
}

/** Go types of parameters. `samples` is the result of a query, `sample` one series of it. */
export type ParameterType = 'any' | 'string' | 'int' | 'float64' | 'time' | 'samples' | 'sample'

/** A function of the template language. */
export interface TemplateFunction<C extends CallContext = CallContext> {
  readonly parameters: readonly ParameterType[]
  /** Type of the arguments after the declared ones; `undefined` if none are allowed. */
  readonly rest?: ParameterType
  /**
   * Computes the result. The interpreter has already checked the number and the types of the arguments. May throw
   * ExpansionFault.
   */
  readonly call: (args: readonly GoValue[], context: C) => GoValue
}

export type FunctionTable<C extends CallContext = CallContext> = Readonly<Record<string, TemplateFunction<C>>>

/** All functions of a template by name, except `and` and `or`, whose arguments the interpreter evaluates itself. */
export type FunctionMap<C extends CallContext = CallContext> = ReadonlyMap<string, TemplateFunction<C>>

const GO_TYPES: Readonly<Record<ParameterType, string>> = {
  any: 'interface {}',
  string: 'string',
  int: 'int',
  float64: 'float64',
  time: 'time.Time',
  samples: SAMPLES,
  sample: `*${SAMPLE}`,
}

function hasType(value: GoValue, type: ParameterType): boolean {
  switch (type) {
    case 'any':
      return true
    case 'string':
      return typeof value === 'string'
    case 'int':
      return typeof value === 'bigint'
    case 'float64':
      return typeof value === 'number' || typeof value === 'bigint'
    case 'time':
      return value instanceof GoTime
    case 'samples':
      return isList(value)
    case 'sample':
      return value instanceof GoStruct && value.typeName === SAMPLE
  }
}

/** A fault in the argument at `index`. Without `index`, the number of arguments is wrong. */
export class ArgumentFault extends ExpansionFault {
  readonly index: number | undefined
  readonly type: ParameterType

  constructor(
    message: string,
    given: { readonly go?: string; readonly index?: number; readonly type?: ParameterType } = {},
  ) {
    super(message, given)
    this.index = given.index
    this.type = given.type ?? 'any'
  }
}

/** Checks the number and the types of arguments. Throws ArgumentFault if they are wrong. */
export function checkArguments(
  name: string,
  { parameters, rest }: Pick<TemplateFunction, 'parameters' | 'rest'>,
  args: readonly GoValue[],
): void {
  if (args.length < parameters.length || (rest === undefined && args.length > parameters.length)) {
    const wanted = `${rest === undefined ? '' : 'at least '}${parameters.length}`
    throw new ArgumentFault(`wrong number of args for ${name}: want ${wanted} got ${args.length}`)
  }
  for (const [i, value] of args.entries()) {
    const type = parameters[i] ?? rest ?? 'any'
    if (hasType(value, type)) continue
    const go = `wrong type for value; expected ${GO_TYPES[type]}; got ${typeName(value)}`
    const message = `argument ${i + 1} of ${name} must be ${GO_TYPES[type]}, not ${typeName(value)}`
    throw new ArgumentFault(message, { go, index: i, type })
  }
}

/** Returns a template function that takes `count` strings. */
export function onStrings(count: number, call: (...texts: string[]) => GoValue): TemplateFunction {
  return { parameters: Array.from({ length: count }, () => 'string'), call: (args) => call(...(args as string[])) }
}

/** Returns a template function that takes one value of any type. */
export function onValue(call: (value: GoValue, context: CallContext) => GoValue): TemplateFunction {
  return { parameters: ['any'], call: ([value = null], context) => call(value, context) }
}
