import { gt, gte, lt, lte } from './comparison.ts'
import type { OperatorDefinition } from './definition.ts'
import { eq, exists, inOperator, match, ne, notexists, notin, notMatch } from './equality.ts'
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

/** The operators of a Condition, in the order of the reference. */
export const operators: readonly OperatorDefinition[] = [
  eq,
  ne,
  match,
  notMatch,
  inOperator,
  notin,
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

/** Case and blanks around the name do not count. */
export function operatorNamed(name: string): OperatorDefinition | undefined {
  return byName.get(name.trim().toLowerCase())
}
