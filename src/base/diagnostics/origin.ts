import type { JsonPath } from '../json.ts'
import type { Span } from './span.ts'

/** The origin of a part of a plan or of a diagnostic. */
export type Origin =
  | { readonly kind: 'text'; readonly span: Span }
  | { readonly kind: 'json'; readonly path: JsonPath }
  /** A part that an optimizer rule made from other parts. */
  | { readonly kind: 'derived'; readonly by: string; readonly from: readonly Origin[] }
  | { readonly kind: 'none' }

export const nowhere: Origin = { kind: 'none' }

export function at(span: Span): Origin {
  return { kind: 'text', span }
}

export function atPath(path: JsonPath): Origin {
  return { kind: 'json', path }
}

export function derived(by: string, from: readonly Origin[]): Origin {
  return { kind: 'derived', by, from }
}

/**
 * Returns the source span of an origin. For a derived origin, returns the span of the first part it comes from that has
 * one.
 */
export function spanOf(origin: Origin): Span | undefined {
  if (origin.kind === 'text') return origin.span
  if (origin.kind === 'derived') {
    for (const source of origin.from) {
      const found = spanOf(source)
      if (found !== undefined) return found
    }
  }
  return undefined
}
