import { span, type Span } from '../base/index.ts'
import { expectationsAfter, printerOf, type Expectations } from '../lang/log/index.ts'
import type { CompletionItem } from './completion-item.ts'
import { cursorAt, type Cursor } from './cursor.ts'
import { itemsFor } from './items.ts'
import { wordsOf, type EditorOptions } from './editor-options.ts'

/** Completions at an offset, and the span of the text that each replaces. */
export interface Completion {
  readonly span: Span
  /** Items in order, best match first. */
  readonly items: readonly CompletionItem[]
}

/** Maximum number of tokens in a stage that gets completions; parsing more takes too long for an editor. */
const MAX_TOKENS = 400
/** Maximum length of a text that gets completions, UTF-16 units. */
const MAX_CHARACTERS = 1 << 16
const MAX_ITEMS = 200

function expectationsAt(cursor: Cursor): Expectations | undefined {
  return expectationsAfter(cursor.isFirstStage ? 'logQuery' : 'logPipe', cursor.tokens, cursor.endsTouching)
}

function ranked(items: readonly CompletionItem[], prefix: string): readonly CompletionItem[] {
  const wanted = prefix.toLowerCase()
  const seen = new Set<string>()
  const unique = items.filter(({ kind, label }) => {
    const key = `${kind} ${label}`
    return !seen.has(key) && seen.add(key)
  })
  const starts = unique.filter(({ label }) => label.toLowerCase().startsWith(wanted))
  const inside = unique.filter(({ label }) => wanted.length > 1 && label.toLowerCase().indexOf(wanted) > 0)
  return [...starts, ...inside].slice(0, MAX_ITEMS)
}

/** Completes parameter names after a `$`. */
function parameterAt(head: string, { parameters = [] }: EditorOptions): Completion | undefined {
  const found = /(?<![\p{L}\p{Nd}_"'`$])\$(\w*)$/u.exec(head)
  if (found === null || parameters.length === 0) return undefined
  const prefix = found[1] ?? ''
  const items = parameters.map((name) => ({
    kind: 'value' as const,
    label: name,
    detail: 'a parameter',
    insertText: name,
  }))
  return { span: span(head.length - prefix.length, head.length), items: ranked(items, prefix) }
}

/** Completes tables after `domain=` of `options(…)`, and after `from` at the start of a query in parentheses. */
function tablesAt(head: string, options: EditorOptions): Completion | undefined {
  const found = /(?:\boptions\s*\([^()|]*\bdomain\s*=\s*|\(\s*from\s+)(\w*)$/i.exec(head)
  if (found === null || options.dialect === 'logsql') return undefined
  const prefix = found[1] ?? ''
  const items = [...options.catalog.tables.values()].map(({ name, summary = 'a table' }) => ({
    kind: 'value' as const,
    label: name,
    detail: summary,
    insertText: printerOf('native').text(name),
  }))
  return { span: span(head.length - prefix.length, head.length), items: ranked(items, prefix) }
}

/**
 * Returns completions at an offset, computed from the text before it, without side effects. Accepts any text and any
 * offset. Items replace `span`, the word around the cursor.
 */
export function complete(text: string, offset: number, options: EditorOptions): Completion {
  const at = Math.min(Math.max(0, Math.trunc(offset) || 0), text.length)
  const nothing: Completion = { span: span(at, at), items: [] }
  if (at > MAX_CHARACTERS) return nothing
  const parameter = parameterAt(text.slice(0, at), options)
  if (parameter !== undefined) return parameter
  const tables = tablesAt(text.slice(0, at), options)
  if (tables !== undefined) return tables
  const cursor = cursorAt(text, at, wordsOf(options).customPipes)
  if (cursor === undefined) return nothing
  if (cursor.tokens.length > MAX_TOKENS) return { ...nothing, span: cursor.span }
  const expectations = expectationsAt(cursor)
  if (expectations === undefined) return { ...nothing, span: cursor.span }
  return { span: cursor.span, items: ranked(itemsFor(cursor, expectations, options), cursor.prefix) }
}
