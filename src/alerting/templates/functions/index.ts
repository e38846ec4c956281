import { builtinFunctions, type FunctionMap } from '../../../functions/go-template/index.ts'
import type { AlertContext } from './context.ts'
import { numberFunctions } from './numbers.ts'
import { queryFunctions } from './queries.ts'
import { textFunctions } from './texts.ts'

export type { AlertContext } from './context.ts'
export { samplesValue } from './queries.ts'

/** All functions by name, except `and` and `or`, for which the interpreter evaluates arguments lazily. */
export const templateFunctions: FunctionMap<AlertContext> = new Map([
  ...builtinFunctions,
  ...[textFunctions, numberFunctions, queryFunctions].flatMap((table) => Object.entries(table)),
])
