import { autocompletion, completionKeymap, type Completion, type CompletionContext } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { lintGutter, linter, lintKeymap, type Diagnostic as EditorDiagnostic } from '@codemirror/lint'
import { EditorState, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  drawSelection,
  hoverTooltip,
  keymap,
  placeholder,
  type DecorationSet,
  type Tooltip,
  type ViewUpdate,
} from '@codemirror/view'
import type { QueryLanguage } from '../ask/requests.ts'
import type { LanguageClient } from '../language/client.ts'
import type { Colour } from '../language/requests.ts'
import { editorTheme } from './theme.ts'

/** The language service of an editor. */
export type EditorLanguage = Pick<LanguageClient, 'call'>

interface Options {
  readonly text: string
  readonly label: string
  readonly placeholder: string
  readonly language: EditorLanguage
  /** Returns the table and dialect of the text, which may change. */
  readonly target: () => { readonly table: string; readonly dialect: QueryLanguage }
  readonly onChange: (text: string) => void
  readonly onRun: () => void
}

/** Pause between a change and the check of the text, ms. Quick changes are checked together. */
const CHECK_PAUSE_MS = 10

const setColours = StateEffect.define<readonly Colour[]>()

/** Highlighting of the text. After an edit the old highlighting moves with the text until the new one is computed. */
const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (!effect.is(setColours)) continue
      const { length } = transaction.state.doc
      const shown = effect.value.filter(({ start, end }) => start < end && end <= length)
      next = Decoration.set(
        shown.map(({ start, end, kind }) => Decoration.mark({ class: `tok-${kind}` }).range(start, end)),
        true,
      )
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Icon names of the editor for the completion kinds of the language. */
const kinds: Readonly<Record<string, string>> = {
  pipe: 'keyword',
  filter: 'function',
  function: 'function',
  field: 'property',
  value: 'constant',
  keyword: 'keyword',
  operator: 'operator',
}

/**
 * A code editor for a single query. It is in a shadow root, so that its style sheets work under a policy without inline
 * styles.
 */
export class CodeEditor {
  readonly #options: Options
  readonly #view: EditorView
  #colouring = 0

  constructor(host: HTMLElement, options: Options) {
    this.#options = options
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    root.replaceChildren()
    this.#view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: options.text, extensions: this.#extensions() }),
    })
    this.#colour()
  }

  get text(): string {
    return this.#view.state.doc.toString()
  }

  /** Replaces the text in one undoable step. Only the changed part is replaced, so that the cursor stays. */
  setText(text: string): void {
    const before = this.text
    if (before === text) return
    let start = 0
    while (start < Math.min(before.length, text.length) && before[start] === text[start]) start++
    let end = 0
    const most = Math.min(before.length, text.length) - start
    while (end < most && before[before.length - 1 - end] === text[text.length - 1 - end]) end++
    this.#view.dispatch({
      changes: { from: start, to: before.length - end, insert: text.slice(start, text.length - end) },
    })
  }

  focus(offset: number): void {
    this.#view.dispatch({ selection: { anchor: Math.min(offset, this.text.length) } })
    this.#view.focus()
  }

  close(): void {
    this.#view.destroy()
  }

  #request() {
    const { table, dialect } = this.#options.target()
    return { text: this.text, table, dialect }
  }

  /** Requests highlighting for the current text; results for an older text are dropped. */
  #colour(): void {
    const asked = (this.#colouring += 1)
    const { text } = this
    void this.#options.language.call('colours', this.#request()).then((found) => {
      if (asked === this.#colouring && text === this.text) this.#view.dispatch({ effects: setColours.of(found) })
    })
  }

  #extensions() {
    const { label, placeholder: hint, onRun } = this.#options
    const run = (): boolean => {
      onRun()
      return true
    }
    return [
      history(),
      drawSelection(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
      placeholder(hint),
      colours,
      autocompletion({ override: [(context) => this.#complete(context)], icons: false }),
      linter(() => this.#check(), { delay: CHECK_PAUSE_MS }),
      lintGutter(),
      hoverTooltip((_, offset) => this.#hover(offset)),
      keymap.of([
        { key: 'Mod-Enter', run },
        { key: 'Enter', run },
        { key: 'Shift-Enter', run: (view) => (view.dispatch(view.state.replaceSelection('\n')), true) },
        { key: 'Mod-Shift-f', run: () => (void this.layOut(), true) },
        ...completionKeymap,
        ...lintKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      EditorView.updateListener.of((update: ViewUpdate) => {
        if (!update.docChanged) return
        this.#colour()
        this.#options.onChange(this.text)
      }),
      editorTheme,
    ]
  }

  /** Formats the query in one undoable step. */
  async layOut(): Promise<void> {
    this.setText(await this.#options.language.call('layout', this.#request()))
  }

  async #complete(context: CompletionContext) {
    const { span, items } = await this.#options.language.call('complete', { ...this.#request(), offset: context.pos })
    if (
      items.length === 0 ||
      (!context.explicit && span.start === span.end && !/[\s|:(,]$/.test(context.state.sliceDoc(0, context.pos)))
    )
      return null
    return {
      from: span.start,
      to: span.end,
      filter: false,
      options: items.map(({ label, kind, detail, insertText }): Completion => ({
        label,
        detail,
        apply: insertText,
        type: kinds[kind] ?? 'text',
      })),
    }
  }

  async #check(): Promise<readonly EditorDiagnostic[]> {
    const request = this.#request()
    const found = await this.#options.language.call('check', request)
    const { length } = request.text
    return found.map(({ severity, message, notes, span = { start: 0, end: length }, fixes }) => ({
      from: Math.min(span.start, length),
      to: Math.min(Math.max(span.end, span.start), length),
      severity,
      message: [message, ...notes].join('\n'),
      actions: fixes.map(({ title, edits }) => ({
        name: title,
        apply: (view: EditorView) =>
          view.dispatch({ changes: edits.map(({ start, end, text }) => ({ from: start, to: end, insert: text })) }),
      })),
    }))
  }

  async #hover(offset: number): Promise<Tooltip | null> {
    const found = await this.#options.language.call('hover', { ...this.#request(), offset })
    if (found === undefined) return null
    return {
      pos: found.span.start,
      end: found.span.end,
      above: true,
      create: () => {
        const dom = document.createElement('div')
        dom.className = 'cm-hover'
        dom.append(...hoverNodes(found.markdown))
        return { dom }
      },
    }
  }
}

/** Converts the Markdown subset of hover texts to DOM nodes: bold words, code blocks, paragraphs. */
function hoverNodes(markdown: string): readonly Node[] {
  return markdown.split(/```\n?/).flatMap((part, i) => {
    if (part.trim() === '') return []
    if (i % 2 === 1) {
      const code = document.createElement('pre')
      code.textContent = part.trimEnd()
      return [code]
    }
    return part
      .trim()
      .split('\n\n')
      .map((paragraph) => {
        const element = document.createElement(paragraph.startsWith('**') ? 'strong' : 'p')
        element.textContent = paragraph.replaceAll('**', '').replaceAll('`', '')
        return element
      })
  })
}
