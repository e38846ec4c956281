/** The answers of Sluice and of the server to one query. */
export interface Pair<Answer> {
  readonly ours: Answer
  readonly theirs: Answer
}

/** A rule that recognizes one kind of deliberate difference between Sluice and the reference implementation. */
export interface Rule<Case, Answer> {
  /** Number of the decision in Sluice's language specification, such as `L32`. */
  readonly ruling: string
  readonly what: string
  /** Returns both answers with the difference removed; the same object if the rule does not apply. */
  readonly settle?: (pair: Pair<Answer>, given: Case) => Pair<Answer>
  /** True if the rule explains all differences that remain after every `settle`. */
  readonly explains?: (pair: Pair<Answer>, given: Case) => boolean | Promise<boolean>
}

export interface Judgement<Case, Answer> {
  /** Description of the difference that no rule explains; `undefined` if there is none. */
  readonly failure: string | undefined
  /** Rules that were needed to explain the difference. */
  readonly rules: readonly Rule<Case, Answer>[]
}

/**
 * Compares two answers and applies the rules to their differences. `differenceOf` describes a difference, or returns
 * `undefined`.
 */
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
