import type { Dialect } from '../../plan/index.ts'
import { filterDefinitions } from './filters/index.ts'
import { pipeDefinitions } from './pipes/index.ts'
import { runningForms, statsForms } from './stats/call.ts'

const operators = ['and', 'or', 'not', 'by', 'as', 'if', 'from', 'options']

let words: ReadonlySet<string> | undefined

/** Words that stand in quotes where they are data, since they could be read as something else there. */
export function isReserved(word: string, _dialect: Dialect): boolean {
  words ??= new Set([
    ...operators,
    ...filterDefinitions.flatMap(({ names }) => names),
    ...pipeDefinitions.flatMap(({ names }) => names),
    ...statsForms.keys(),
    ...runningForms.keys(),
  ])
  return words.has(word.toLowerCase())
}
