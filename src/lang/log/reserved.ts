import { filterDefinitions } from './filters/index.ts'
import { mathFunctions } from './math/expression.ts'
import { pipeDefinitions } from './pipes/index.ts'
import { runningForms, statsForms } from './stats/call.ts'

/** Reserved operators and clause words, and `stats_remote`, which another implementation of LogsQL reserves. */
const operators = ['and', 'or', 'not', 'by', 'as', 'if', 'from', 'options', 'stats_remote']

let words: ReadonlySet<string> | undefined

/** True if a word must be quoted to be used as a value or name, because it could otherwise be parsed as syntax. */
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
