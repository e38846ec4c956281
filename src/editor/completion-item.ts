/** The kind of thing that a completion item names. */
export type CompletionKind = 'pipe' | 'filter' | 'function' | 'field' | 'value' | 'keyword' | 'operator'

/** A completion that is valid at the cursor. */
export interface CompletionItem {
  readonly label: string
  readonly kind: CompletionKind
  /** Description in one sentence, or a data type. */
  readonly detail: string
  /** Text that replaces the completion's span. */
  readonly insertText: string
}
