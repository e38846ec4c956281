import { gt, gte, lt, lte } from './comparison.ts'
import type { OperatorDefinition } from './definition.ts'
import { eq, exists, iin, inOperator, inotin, match, ne, notexists, notin, notMatch } from './equality.ts'
import {
  contains,
  endswith,
  icontains,
  iendswith,
  inotcontains,
  istartswith,
  notcontains,
  notregex,
  phraseSearch,
  regex,
  startswith,
} from './text.ts'

export type { OperatorDefinition } from './definition.ts'

/** All operators of conditions, in the order of the reference documentation. */
export const operators: readonly OperatorDefinition[] = [
  eq,
  ne,
  match,
  notMatch,
  inOperator,
  notin,
  iin,
  inotin,
  contains,
  notcontains,
  icontains,
  inotcontains,
  startswith,
  istartswith,
  endswith,
  iendswith,
  phraseSearch,
  regex,
  notregex,
  gt,
  gte,
  lt,
  lte,
  exists,
  notexists,
]

const byName = new Map(operators.flatMap((o) => [o.name, ...o.aliases].map((name) => [name, o] as const)))

function negationOf(operator: OperatorDefinition): OperatorDefinition {
  return {
    ...operator,
    name: `not_${operator.name}`,
    aliases: [],
    isNegated: !operator.isNegated,
    negates: operator,
    summary: `Not \`${operator.name}\`.`,
  }
}

/**
 * Returns the operator of a name or alias, in any case. `not_` before a positive operator gives its negation.
 * `undefined` if unknown.
 */
export function operatorNamed(name: string): OperatorDefinition | undefined {
  const word = name.trim().toLowerCase()
  const found = byName.get(word)
  if (found !== undefined || !word.startsWith('not_')) return found
  const positive = byName.get(word.slice('not_'.length))
  return positive === undefined || positive.isNegated ? undefined : negationOf(positive)
}
