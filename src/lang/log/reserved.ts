import { filterDefinitions } from './filters/index.ts'
import { mathFunctions } from './math/expression.ts'
import { pipeDefinitions } from './pipes/index.ts'
import { runningForms, statsForms } from './stats/call.ts'

/** Operators and clauses, and one name that the other reader of this dialect keeps for itself. */
const operators = ['and', 'or', 'not', 'by', 'as', 'if', 'from', 'options', 'stats_remote']

let words: ReadonlySet<string> | undefined

/** Words that stand in quotes where they are data, since they could be read as something else there. */
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
