import { filterDefinitions } from './filters/index.ts'
import { mathFunctions } from './math/expression.ts'
import { pipeDefinitions } from './pipes/index.ts'
import { runningForms, statsForms } from './stats/call.ts'

/** Operators and clauses, and one name that the other implementation of this dialect reserves. */
const operators = ['and', 'or', 'not', 'by', 'as', 'if', 'from', 'options', 'stats_remote']

let words: ReadonlySet<string> | undefined

/** True for words that need quotes as data, since they could be parsed as something else. */
export function isReserved(word: string): boolean {
  words ??= new Set([
    ...operators,
    ...filterDefinitions.flatMap(({ names }) => names),
    ...pipeDefinitions.flatMap(({ names }) => names),
    ...statsForms.keys(),
    ...runningForms.keys(),
    ...mathFunctions.keys(),
  ])
  return words.has(word.toLowerCase())
}
