import { spanOf, type Diagnostic, type Span } from '../base/index.ts'
import type { Planner } from '../engine/index.ts'
import { format, openParameters, type Parameters, type ParseOptions } from '../lang/log/index.ts'
import { complete, type Completion } from './complete.ts'
import type { CompletionKind } from './completion-item.ts'
import { hover } from './hover.ts'
import { languageOf, wordsAt, type OtherLanguage, type OtherLanguages } from './other-language.ts'
import { semanticKinds, semanticTokens } from './semantic-tokens.ts'
import type { EditorOptions } from './editor-options.ts'

/** A zero-based line and character, in UTF-16 units, as in the Language Server Protocol. */
export interface LspPosition {
  readonly line: number
  readonly character: number
}

export interface LspRange {
  readonly start: LspPosition
  readonly end: LspPosition
}

export interface LspTextEdit {
  readonly range: LspRange
  readonly newText: string
}

export interface LspDiagnostic {
  readonly range: LspRange
  readonly severity: 1 | 2 | 3
  readonly code: string
  readonly source: string
  readonly message: string
}

export interface LspCodeAction {
  readonly title: string
  readonly kind: 'quickfix'
  readonly isPreferred: boolean
  readonly diagnostics: readonly LspDiagnostic[]
  readonly edit: { readonly changes: Readonly<Record<string, readonly LspTextEdit[]>> }
}

const severities = { error: 1, warning: 2, info: 3 } as const
/** Numbers of completion kinds in the Language Server Protocol. */
const itemKinds: { readonly [K in CompletionKind]: number } = {
  pipe: 14,
  filter: 3,
  function: 3,
  field: 5,
  value: 12,
  keyword: 14,
  operator: 24,
}

class TextPositions {
  readonly #starts: number[] = [0]
  readonly #length: number

  constructor(text: string) {
    this.#length = text.length
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) this.#starts.push(index + end.length)
  }

  at(offset: number): LspPosition {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low, character: offset - (this.#starts[low] ?? 0) }
  }

  range({ start, end }: Span): LspRange {
    return { start: this.at(start), end: this.at(end) }
  }

  /** Returns the offset of a position. A position outside the text becomes the nearest one inside. */
  offset({ line, character }: LspPosition): number {
    if (line >= this.#starts.length) return this.#length
    const start = this.#starts[Math.max(0, line)] ?? 0
    const next = this.#starts[line + 1] ?? this.#length
    return Math.min(start + Math.max(0, character), next)
  }
}

interface Document {
  readonly text: string
  readonly positions: TextPositions
  /** Language of the document; `undefined` for the log language. */
  readonly other: OtherLanguage | undefined
}

function overlaps(a: Span, b: Span): boolean {
  return a.start <= b.end && b.start <= a.end
}

function completionAt({ text, other }: Document, offset: number, options: EditorOptions): Completion {
  if (other === undefined) return complete(text, offset, options)
  const { start, words } = wordsAt(other, text, offset)
  const items = words.map((word) => ({ kind: 'keyword' as const, label: word, detail: '', insertText: word }))
  return { span: { start, end: offset }, items }
}

/**
 * A language server without transport: holds documents of one query each, by URI, and answers the requests of the
 * Language Server Protocol. Never throws for the content of a document.
 */
export class LanguageService {
  readonly #planner: Planner
  readonly #options: EditorOptions
  readonly #languages: OtherLanguages
  readonly #documents = new Map<string, Document>()

  /** `languages` are the supported languages other than the log language. */
  constructor(planner: Planner, options: Partial<EditorOptions> = {}, languages: OtherLanguages = new Map()) {
    this.#planner = planner
    this.#languages = languages
    const { catalog, functions, vocabulary } = planner
    this.#options = { catalog, functions, vocabulary, ...options }
  }

  /** Opens a document. It is a log query unless `languageId` or the file extension names another language. */
  open(uri: string, text: string, languageId?: string): void {
    this.#set(uri, text, languageOf(this.#languages, uri, languageId))
  }

  #set(uri: string, text: string, other: OtherLanguage | undefined): void {
    this.#documents.set(uri, { text, positions: new TextPositions(text), other })
  }

  /** Applies changes in order; a change without a range replaces the whole text. */
  change(uri: string, changes: readonly { readonly range?: LspRange; readonly text: string }[]): void {
    for (const { range, text } of changes) {
      const document = this.#documents.get(uri)
      if (document === undefined) {
        this.open(uri, text)
        continue
      }
      if (range === undefined) {
        this.#set(uri, text, document.other)
        continue
      }
      const start = document.positions.offset(range.start)
      const end = Math.max(start, document.positions.offset(range.end))
      this.#set(uri, document.text.slice(0, start) + text + document.text.slice(end), document.other)
    }
  }

  close(uri: string): void {
    this.#documents.delete(uri)
  }

  #check({ text, other }: Document): readonly Diagnostic[] {
    if (text.trim() === '') return []
    if (other !== undefined) return other.check(text)
    const { dialect, table, vocabulary } = this.#options
    return this.#planner.check(text, { dialect, table, parameters: this.#parametersOf(text, { dialect, vocabulary }) })
  }

  /**
   * Returns placeholder values for the parameters in the options. The check reports all other parameters as missing.
   */
  #parametersOf(text: string, how: ParseOptions): Parameters | undefined {
    const { parameters } = this.#options
    if (parameters === undefined) return undefined
    return Object.fromEntries(
      Object.entries(openParameters(text, how) ?? {}).filter(([name]) => parameters.includes(name)),
    )
  }

  #diagnostic(document: Document, diagnostic: Diagnostic): LspDiagnostic {
    const { severity, code, message, notes } = diagnostic
    const span = spanOf(diagnostic.origin) ?? { start: 0, end: document.text.length }
    return {
      range: document.positions.range(span),
      severity: severities[severity],
      code,
      source: 'sluice',
      message: [message, ...notes].join('\n'),
    }
  }

  diagnostics(uri: string): readonly LspDiagnostic[] {
    const document = this.#documents.get(uri)
    if (document === undefined) return []
    return this.#check(document).map((diagnostic) => this.#diagnostic(document, diagnostic))
  }

  completion(uri: string, position: LspPosition): readonly unknown[] {
    const document = this.#documents.get(uri)
    if (document === undefined) return []
    const offset = document.positions.offset(position)
    const { span, items } = completionAt(document, offset, this.#options)
    const range = document.positions.range(span)
    const written = document.text.slice(span.start, span.end)
    return items.map(({ label, kind, detail, insertText }, index) => ({
      label,
      kind: itemKinds[kind],
      detail,
      sortText: String(index).padStart(4, '0'),
      // Inside quotes, editors match against text that includes the opening quote.
      filterText: /^["'`]/.test(written) ? written[0] + label : label,
      textEdit: { range, newText: insertText },
    }))
  }

  hover(uri: string, position: LspPosition): unknown {
    const document = this.#documents.get(uri)
    // Hover documentation exists for the log language only.
    if (document === undefined || document.other !== undefined) return null
    const found = hover(document.text, document.positions.offset(position), this.#options)
    if (found === undefined) return null
    return { contents: { kind: 'markdown', value: found.text }, range: document.positions.range(found.span) }
  }

  /** Encodes tokens as the protocol requires: five numbers each, with positions relative to the previous token. */
  semanticTokens(uri: string): { readonly data: readonly number[] } {
    const document = this.#documents.get(uri)
    const data: number[] = []
    let before: LspPosition = { line: 0, character: 0 }
    for (const { span, kind } of document === undefined || document.other !== undefined
      ? []
      : semanticTokens(document.text)) {
      const { start, end } = document?.positions.range(span) ?? { start: before, end: before }
      // The protocol has no multi-line tokens.
      if (start.line !== end.line) continue
      const lines = start.line - before.line
      const characters = lines === 0 ? start.character - before.character : start.character
      data.push(lines, characters, end.character - start.character, semanticKinds.indexOf(kind), 0)
      before = start
    }
    return { data }
  }

  formatting(uri: string): readonly LspTextEdit[] {
    const document = this.#documents.get(uri)
    if (document === undefined) return []
    const { text, positions } = document
    const { dialect, vocabulary } = this.#options
    const functionNames = this.#planner.functions.stats.names()
    const newText = document.other?.format(text) ?? format(text, { dialect, functionNames, vocabulary })
    const ending = text.endsWith('\n') && !newText.endsWith('\n') ? '\n' : ''
    if (newText + ending === text) return []
    return [{ range: positions.range({ start: 0, end: text.length }), newText: newText + ending }]
  }

  /** Returns the fixes of the diagnostics in a range, as code actions. */
  codeActions(uri: string, range: LspRange): readonly LspCodeAction[] {
    const document = this.#documents.get(uri)
    if (document === undefined) return []
    const { positions } = document
    const wanted = { start: positions.offset(range.start), end: positions.offset(range.end) }
    return this.#check(document).flatMap((diagnostic) => {
      const span = spanOf(diagnostic.origin)
      if (span === undefined || !overlaps(span, wanted)) return []
      return diagnostic.fixes.map(({ title, edits }, index): LspCodeAction => ({
        title,
        kind: 'quickfix',
        isPreferred: index === 0,
        diagnostics: [this.#diagnostic(document, diagnostic)],
        edit: {
          changes: {
            [uri]: edits.map((edit) => ({ range: positions.range(edit.span), newText: edit.text })),
          },
        },
      }))
    })
  }
}
