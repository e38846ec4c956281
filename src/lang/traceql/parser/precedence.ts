import type { Precedences } from '../../kit/index.ts'

function precedences(binary: readonly (readonly string[])[], prefix: Readonly<Record<string, number>>): Precedences {
  const levels = new Map(binary.flatMap((ops, level) => ops.map((op) => [op, level] as const)))
  return {
    binary: (op) => levels.get(op) ?? 0,
    prefix: (op) => prefix[op] ?? 0,
    isRightAssociative: (op) => op === '^',
  }
}

/**
 * Precedences of field operators, lowest first. A sign binds like `+`, so `-2 ^ 2` is `-(2 ^ 2)`; `!` binds tighter
 * than `+` and looser than `*`.
 */
export const fieldPrecedences: Precedences = precedences(
  [['&&', '||'], ['=', '!=', '<', '<=', '>', '>=', '=~', '!~'], ['+', '-'], [], ['*', '/', '%'], ['^']],
  { '-': 2, '!': 3 },
)

/**
 * Precedences, lowest first, of the operators on spans and of those on scalars and metrics. One chain never contains
 * both.
 */
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
