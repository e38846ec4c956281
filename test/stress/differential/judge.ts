/** Two answers to one query. */
export interface Pair<Answer> {
  readonly ours: Answer
  readonly theirs: Answer
}

/** A kind of difference that a ruling explains. */
export interface Rule<Case, Answer> {
  /** Its number in the rulings. */
  readonly ruling: string
  readonly what: string
  /** Returns both answers without the difference, or the same object if the rule does not apply. */
  readonly settle?: (pair: Pair<Answer>, given: Case) => Pair<Answer>
  /** Whether the ruling explains the differences that remain after all rules have settled theirs. */
  readonly explains?: (pair: Pair<Answer>, given: Case) => boolean | Promise<boolean>
}

export interface Judgement<Case, Answer> {
  /** A description of the difference that no ruling explains. */
  readonly failure: string | undefined
  /** The rules that were needed. */
  readonly rules: readonly Rule<Case, Answer>[]
}

/** Compares two answers. `differenceOf` describes their difference, or returns `undefined`. */
export async function judge<Case, Answer>(
  pair: Pair<Answer>,
  given: Case,
  rules: readonly Rule<Case, Answer>[],
  differenceOf: (pair: Pair<Answer>) => string | undefined,
): Promise<Judgement<Case, Answer>> {
  const failure = differenceOf(pair)
  if (failure === undefined) return { failure, rules: [] }
  const used: Rule<Case, Answer>[] = []
  let current = pair
  let rest: string | undefined = failure
  for (const rule of rules) {
    const next = rule.settle?.(current, given) ?? current
    if (next === current) continue
    const left = differenceOf(next)
    if (left !== rest) used.push(rule)
    current = next
    rest = left
    if (rest === undefined) return { failure: undefined, rules: used }
  }
  for (const rule of rules) {
    if ((await rule.explains?.(current, given)) === true) return { failure: undefined, rules: [...used, rule] }
  }
  return { failure, rules: [] }
}
