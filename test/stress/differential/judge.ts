/** Two answers to one query. */
export interface Pair<Answer> {
  readonly ours: Answer
  readonly theirs: Answer
}

/** A difference that a ruling explains. */
export interface Rule<Case, Answer> {
  /** Its number in the rulings. */
  readonly ruling: string
  readonly what: string
  /** Both answers without the difference; the same object where the rule says nothing. */
  readonly settle?: (pair: Pair<Answer>, given: Case) => Pair<Answer>
  /** Whether the ruling leaves open what differs, once all rules have settled what they speak of. */
  readonly explains?: (pair: Pair<Answer>, given: Case) => boolean | Promise<boolean>
}

export interface Judgement<Case, Answer> {
  /** How the answers differ, where no ruling explains it. */
  readonly failure: string | undefined
  /** The rules that were needed. */
  readonly rules: readonly Rule<Case, Answer>[]
}

/** Compares two answers; `differenceOf` says in words how they differ, or `undefined`. */
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
