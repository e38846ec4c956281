import type { Value } from '../../../value.ts'
import type { TextPredicate, ValuePredicate, WordNeed } from '../ops.ts'

/** A rarely used test, compiled from its literal arguments, which are described next to its definition. */
export interface NamedTest {
  readonly name: string
  readonly text: (args: readonly Value[]) => TextPredicate
  /** Set if the test on a value differs from the test on its string form. */
  readonly value?: (args: readonly Value[]) => ValuePredicate
  readonly words?: (args: readonly Value[]) => readonly WordNeed[]
}

/** Returns an argument, which the parser has already checked to be a number. */
export function numberArg(args: readonly Value[], index: number, otherwise: number): number {
  const value = args[index]
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : otherwise
}
