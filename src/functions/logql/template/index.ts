import { builtinFunctions, GoTime, type FunctionMap } from '../../go-template/index.ts'
import { codingFunctions } from './coding.ts'
import type { EntryContext, EntryFunctions } from './context.ts'
import { floatFunctions, integerFunctions, unitFunctions } from './numbers.ts'
import { oldStringFunctions, stringFunctions } from './strings.ts'
import { timeFunctions } from './times.ts'

export type { EntryContext, TemplateData } from './context.ts'

const entryFunctions: EntryFunctions = {
  __line__: { parameters: [], call: (_, { data }) => data.line() },
  __timestamp__: { parameters: [], call: (_, { data }) => new GoTime(data.timestampNs(), false) },
}

/** The functions that templates in stages can call, by name. */
export const stageFunctions: FunctionMap<EntryContext> = new Map([
  ...builtinFunctions,
  ...[entryFunctions, stringFunctions, oldStringFunctions, codingFunctions].flatMap((table) => Object.entries(table)),
  ...[integerFunctions, floatFunctions, unitFunctions, timeFunctions].flatMap((table) => Object.entries(table)),
])
