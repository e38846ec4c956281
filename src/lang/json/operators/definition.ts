import type { JsonValue } from '../../../base/index.ts'
import type { MatchRequest } from '../../../plan/index.ts'

/**
 * Result of applying an operator to a value: the test to make, or a description of the values that the operator
 * accepts.
 */
export type OperatorResult = { readonly request: MatchRequest } | { readonly expected: string }

/** An operator that filters of a JSON condition may use. */
export interface OperatorDefinition {
  readonly name: string
  readonly aliases: readonly string[]
  /**
   * How a condition joins several filters with this operator: `alternative` by OR, `comparison` by AND. Negated
   * operators are always joined by AND.
   */
  readonly joins: 'alternative' | 'comparison'
  readonly isNegated: boolean
  /** True if a list of values may also be given as a string that contains a JSON list. */
  readonly takesListText?: true
  /** The operator that this operator negates exactly. */
  readonly negates?: OperatorDefinition
  readonly request: (value: JsonValue | undefined, key?: string) => OperatorResult
  /** One sentence about the operator for the reference documentation. */
  readonly summary: string
}

/** A scalar as a string; `undefined` for lists, objects and missing values. */
export function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

/** Returns the scalars of a list, or of a single scalar, as strings; `undefined` for other values. */
export function scalarTexts(value: JsonValue | undefined): readonly string[] | undefined {
  const single = scalarText(value)
  if (single !== undefined) return [single]
  if (!Array.isArray(value)) return undefined
  const texts = value.map((item: JsonValue) => scalarText(item))
  return texts.every((text) => text !== undefined) ? texts : undefined
}

/** Parses a string that contains a JSON list of scalars; `undefined` for other strings. */
export function listedTexts(text: string): readonly string[] | undefined {
  if (!text.startsWith('[')) return undefined
  try {
    return scalarTexts(JSON.parse(text) as JsonValue)
  } catch {
    return undefined
  }
}

export function takesLists({ request }: OperatorDefinition): boolean {
  return 'request' in request([''])
}
