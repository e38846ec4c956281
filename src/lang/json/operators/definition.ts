import type { JsonValue } from '../../../base/index.ts'
import type { MatchRequest } from '../../../plan/index.ts'

/** Test that an operator makes of a value, or a description of the expected value. */
export type OperatorResult = { readonly request: MatchRequest } | { readonly expected: string }

/** An operator of a Condition. */
export interface OperatorDefinition {
  readonly name: string
  readonly aliases: readonly string[]
  /** `alternative`: several in one condition are OR; `comparison`: they are AND. A negated one is always AND. */
  readonly joins: 'alternative' | 'comparison'
  readonly isNegated: boolean
  /** True if a body may write its list as a JSON list in a string. */
  readonly takesListText?: true
  /** The operator that it negates, if it has no other meaning. */
  readonly negates?: OperatorDefinition
  readonly request: (value: JsonValue | undefined, key?: string) => OperatorResult
  /** One sentence for the reference. */
  readonly summary: string
}

/** A scalar as a string; `undefined` for lists, objects and missing values. */
export function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

/** Scalars of a list, or a single scalar. */
export function scalarTexts(value: JsonValue | undefined): readonly string[] | undefined {
  const single = scalarText(value)
  if (single !== undefined) return [single]
  if (!Array.isArray(value)) return undefined
  const texts = value.map((item: JsonValue) => scalarText(item))
  return texts.every((text) => text !== undefined) ? texts : undefined
}

/** Scalars of a JSON list in a string; `undefined` for other strings. */
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
