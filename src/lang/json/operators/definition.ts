import type { JsonValue } from '../../../base/index.ts'
import type { MatchRequest } from '../../../plan/index.ts'

/** What an operator asks of a value, or what its value should have been. */
export type OperatorResult = { readonly request: MatchRequest } | { readonly expected: string }

/** An operator of a Condition. */
export interface OperatorDefinition {
  readonly name: string
  readonly aliases: readonly string[]
  /** `alternative`: several of one condition are OR; `comparison`: they are AND. A negated one is always AND. */
  readonly joins: 'alternative' | 'comparison'
  readonly isNegated: boolean
  /** A body may write its list as one text, a JSON list. */
  readonly takesListText?: true
  /** The operator that it is the negation of, when nothing else is its own. */
  readonly negates?: OperatorDefinition
  readonly request: (value: JsonValue | undefined, key?: string) => OperatorResult
  /** One sentence for the reference. */
  readonly summary: string
}

/** The text of a scalar value; `undefined` for lists, objects and nothing. */
export function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

/** The scalars of a list, or one scalar. */
export function scalarTexts(value: JsonValue | undefined): readonly string[] | undefined {
  const single = scalarText(value)
  if (single !== undefined) return [single]
  if (!Array.isArray(value)) return undefined
  const texts = value.map((item: JsonValue) => scalarText(item))
  return texts.every((text) => text !== undefined) ? texts : undefined
}

/** The scalars of a JSON list that is written as a text; `undefined` for any other text. */
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
