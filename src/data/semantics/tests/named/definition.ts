import type { Value } from '../../../value.ts'
import type { TextPredicate, ValuePredicate, WordNeed } from '../ops.ts'

/** A rare test, compiled from its literal arguments; its file describes them. */
export interface NamedTest {
  readonly name: string
  readonly text: (args: readonly Value[]) => TextPredicate
  /** Present when the test differs from the test of the value's text. */
  readonly value?: (args: readonly Value[]) => ValuePredicate
  readonly words?: (args: readonly Value[]) => readonly WordNeed[]
}

/** Returns an argument that the front end has passed as a number. */
export function numberArg(args: readonly Value[], index: number, otherwise: number): number {
  const value = args[index]
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : otherwise
}
