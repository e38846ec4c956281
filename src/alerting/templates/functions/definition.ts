import type { ExpansionBudget } from '../limits.ts'
import type { TemplateData, TemplateSample } from '../data.ts'
import { ExpansionFault } from '../faults.ts'
import { GoMap, GoStruct, isList, SAMPLE, SAMPLES, typeName, type GoList, type GoValue } from '../values.ts'

/** Everything that a function may read besides its arguments. */
export interface CallContext {
  readonly data: TemplateData
  readonly budget: ExpansionBudget
  /** Returns the answer to a query; throws to interrupt the expansion if the query has not run yet. */
  readonly query: (text: string) => GoList
}

/** Go types of parameters: any value, `string`, the answer to a query, one series of it. */
export type ParameterType = 'any' | 'string' | 'samples' | 'sample'

/** A function of the template language. */
export interface TemplateFunction {
  readonly parameters: readonly ParameterType[]
  /** Type of further arguments; undefined if there may be none. */
  readonly rest?: ParameterType
  /** The interpreter has checked the number and the types of the arguments. May throw ExpansionFault. */
  readonly call: (args: readonly GoValue[], context: CallContext) => GoValue
}

export type FunctionTable = Readonly<Record<string, TemplateFunction>>

const GO_TYPES: Readonly<Record<ParameterType, string>> = {
  any: 'interface {}',
  string: 'string',
  samples: SAMPLES,
  sample: `*${SAMPLE}`,
}

function hasType(value: GoValue, type: ParameterType): boolean {
  if (type === 'any') return true
  if (type === 'string') return typeof value === 'string'
  return type === 'samples' ? isList(value) : value instanceof GoStruct && value.typeName === SAMPLE
}

/** Calls a function. Throws ExpansionFault if the number or the types of the arguments do not fit. */
export function callFunction(
  name: string,
  { parameters, rest, call }: TemplateFunction,
  args: readonly GoValue[],
  context: CallContext,
): GoValue {
  if (args.length < parameters.length || (rest === undefined && args.length > parameters.length)) {
    const wanted = `${rest === undefined ? '' : 'at least '}${parameters.length}`
    throw new ExpansionFault(`wrong number of args for ${name}: want ${wanted} got ${args.length}`)
  }
  for (const [i, value] of args.entries()) {
    const type = parameters[i] ?? rest ?? 'any'
    if (hasType(value, type)) continue
    throw new ExpansionFault(`argument ${i + 1} of ${name} must be ${GO_TYPES[type]}, not ${typeName(value)}`)
  }
  return call(args, context)
}

/** Defines a function from strings to a value. */
export function onStrings(count: number, call: (...texts: string[]) => GoValue): TemplateFunction {
  return { parameters: Array.from({ length: count }, () => 'string'), call: (args) => call(...(args as string[])) }
}

/** Defines a function of one value of any type. */
export function onValue(call: (value: GoValue, context: CallContext) => GoValue): TemplateFunction {
  return { parameters: ['any'], call: ([value = null], context) => call(value, context) }
}

/** Converts the answer to a query to a value of the language. */
export function samplesValue(samples: readonly TemplateSample[]): GoList {
  return samples.map(({ labels, value }) => {
    const fields: readonly (readonly [string, GoValue])[] = [
      ['Labels', GoMap.ofLabels(labels)],
      ['Value', value],
    ]
    return new GoStruct(SAMPLE, fields, { isPointer: true })
  })
}
