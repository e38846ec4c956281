/** The kind of thing that a completion item names. */
export type CompletionKind = 'pipe' | 'filter' | 'function' | 'field' | 'value' | 'keyword' | 'operator'

/** One thing that can stand at the offset. */
export interface CompletionItem {
  readonly label: string
  readonly kind: CompletionKind
  /** One sentence, or a type. */
  readonly detail: string
  /** Replaces the completion's span. */
  readonly insertText: string
}
