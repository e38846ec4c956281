import { wordNeeds, type WordNeed } from '../data/index.ts'
import type { Expr } from '../plan/index.ts'

/** Case-folded words, by field, that every row must contain for a predicate to be true. */
export type RequiredWords = ReadonlyMap<string, readonly WordNeed[]>

function isSame(a: WordNeed, b: WordNeed): boolean {
  return a.word === b.word && a.isPrefix === b.isPrefix
}

/**
 * Merges the words that several conjuncts require. A word and a prefix of it (`error`, `err*`) are both kept, although
 * the prefix follows from the word.
 */
function both(all: readonly RequiredWords[]): RequiredWords {
  const result = new Map<string, WordNeed[]>()
  for (const words of all) {
    for (const [field, needs] of words) {
      const known = result.get(field) ?? []
      result.set(field, [...known, ...needs.filter((need) => !known.some((other) => isSame(other, need)))])
    }
  }
  return result
}

function either(all: readonly RequiredWords[]): RequiredWords {
  const [first, ...rest] = all
  const result = new Map<string, readonly WordNeed[]>()
  for (const [field, needs] of first ?? []) {
    const common = needs.filter((need) =>
      rest.every((words) => words.get(field)?.some((other) => isSame(other, need)) === true),
    )
    if (common.length > 0) result.set(field, common)
  }
  return result
}

const none: RequiredWords = new Map()

/** Returns the words that every matching row contains, so that a word index can be searched first. */
export function requiredWords(predicate: Expr): RequiredWords {
  switch (predicate.kind) {
    case 'and':
      return both(predicate.args.map(requiredWords))
    case 'or':
      return either(predicate.args.map(requiredWords))
    case 'test': {
      if (predicate.arg.kind !== 'column') return none
      const needs = wordNeeds(predicate.test)
      return needs.length === 0 ? none : new Map([[predicate.arg.name, needs]])
    }
    default:
      return none
  }
}
