import { requiredWords } from '../../optimize/index.ts'
import { conjunction, type Expr } from '../../plan/index.ts'

/** The field with the path of a row's file. Lines themselves do not contain it. */
export const FILE_FIELD = '_file'

/**
 * Returns, by field, words that the bytes of a line must contain for its row to match. The time field is left out,
 * since a time has more than one spelling.
 */
export function wordsOfLines(predicate: readonly Expr[], timeField: string): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, readonly string[]>()
  for (const [field, list] of requiredWords(conjunction(predicate)))
    if (field !== timeField && field !== FILE_FIELD)
      words.set(
        field,
        list.map(({ word }) => word),
      )
  return words
}
