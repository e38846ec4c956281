import { collectionFunctions } from './collections.ts'
import { compareFunctions } from './compare.ts'
import type { TemplateFunction } from './definition.ts'
import { numberFunctions } from './numbers.ts'
import { queryFunctions } from './queries.ts'
import { textFunctions } from './texts.ts'

export { callFunction, samplesValue, type CallContext, type TemplateFunction } from './definition.ts'
export { methodOf } from './methods.ts'

/** All functions by name, except `and` and `or`, whose arguments the interpreter evaluates one at a time. */
export const templateFunctions: ReadonlyMap<string, TemplateFunction> = new Map(
  [compareFunctions, collectionFunctions, textFunctions, numberFunctions, queryFunctions].flatMap((table) =>
    Object.entries(table),
  ),
)
