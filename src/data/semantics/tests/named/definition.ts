import type { Value } from '../../../value.ts'
import type { TextPredicate, ValuePredicate, WordNeed } from '../ops.ts'

/** A test of the long tail: compiled from its literal arguments, whose shape the file says. */
export interface NamedTest {
  readonly name: string
  readonly text: (args: readonly Value[]) => TextPredicate
  /** Where the meaning is more than the meaning for the value's text. */
  readonly value?: (args: readonly Value[]) => ValuePredicate
  readonly words?: (args: readonly Value[]) => readonly WordNeed[]
}

/** An argument that the front end gave as a number. */
export function numberArg(args: readonly Value[], index: number, otherwise: number): number {
  const value = args[index]
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : otherwise
}
