import type { Precedences } from '../../kit/index.ts'

function precedences(binary: readonly (readonly string[])[], prefix: Readonly<Record<string, number>>): Precedences {
  const levels = new Map(binary.flatMap((ops, level) => ops.map((op) => [op, level] as const)))
  return {
    binary: (op) => levels.get(op) ?? 0,
    prefix: (op) => prefix[op] ?? 0,
    isRightAssociative: (op) => op === '^',
  }
}

/** Levels from the loosest. A sign binds as `+` does, so `-2 ^ 2` is `-(2 ^ 2)`; `!` stands between `+` and `*`. */
export const fieldPrecedences: Precedences = precedences(
  [['&&', '||'], ['=', '!=', '<', '<=', '>', '>=', '=~', '!~'], ['+', '-'], [], ['*', '/', '%'], ['^']],
  { '-': 2, '!': 3 },
)

/** Operators of spans, of which conjunctions bind loosest, and of scalars and metrics, which never stand among them. */
export const partPrecedences: Precedences = precedences(
  [
    ['&&', '||'],
    ['=', '!=', '<', '<=', '>', '>=', '>>', '<<', '~', '!>', '!>>', '!<', '!<<', '!~', '&>', '&>>', '&<', '&<<', '&~'],
    ['+', '-'],
    ['*', '/', '%'],
    ['^'],
  ],
  {},
)
