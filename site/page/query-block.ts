import { failureOf } from '../../src/console/ask/ask-error.ts'
import type { Diagnostic } from '../../src/console/ask/requests.ts'
import type { CodeEditor } from '../../src/console/editor/code-editor.ts'
import { applyFix } from '../run/apply-fix.ts'
import type { Block, BlockAnswer } from '../run/block.ts'
import { button, element, find, message } from './dom.ts'
import type { Services } from './services.ts'

/** A query of a page that the reader can edit and run. Its text is never parsed as HTML. */
export class QueryBlock {
  readonly #element: HTMLElement
  readonly #block: Block
  readonly #services: Services
  readonly #status = element('span', { class: 'status', role: 'status' })
  readonly #link = element('a', { class: 'link' }, 'Link')
  readonly #reset = button(['Reset'], () => this.#change(this.#block.query))
  #text: string
  #editor: CodeEditor | undefined
  #running: AbortController | undefined

  constructor(block: HTMLElement, services: Services) {
    this.#element = block
    this.#services = services
    this.#block = JSON.parse(block.dataset['block'] ?? '') as Block
    this.#text = this.#block.query
    this.#reset.hidden = true
    const actions = element('span', { class: 'actions' }, this.#status, this.#reset, this.#link)
    actions.append(
      button(['Edit'], () => void this.edit()),
      button(['Run'], () => void this.run()),
    )
    actions.lastElementChild?.classList.add('run')
    find(block, '.bar').append(actions)
    find(block, '.editor').addEventListener('click', () => {
      if (this.#editor === undefined && getSelection()?.isCollapsed !== false) void this.edit()
    })
    this.#tellLink()
  }

  /** Replaces the query with the one from a shared link, without running it. */
  show(text: string): void {
    this.#change(text)
    this.#status.textContent = 'The query is from a link. Run it to see its answer.'
    for (const part of this.#element.querySelectorAll('.result > *, .messages > *')) part.remove()
  }

  /** Opens the editor. Its code is loaded at first use. */
  async edit(): Promise<void> {
    if (this.#editor === undefined) {
      const { CodeEditor } = await import('../../src/console/editor/code-editor.ts')
      const { language } = this.#block
      // A second click may have created the editor while this one was loading its code.
      if (this.#editor !== undefined) return
      const host = element('div', { class: 'host' })
      find(this.#element, '.editor').replaceChildren(host)
      this.#editor = new CodeEditor(host, {
        text: this.#text,
        label: `Query ${this.#element.id}`,
        placeholder: 'a query',
        language: this.#services.languageOf(language),
        target: () => ({
          table: this.#block.files[0]?.table ?? 'logs',
          dialect: language === 'logsql' || language === 'traceql' ? language : 'native',
        }),
        onChange: (text) => this.#take(text),
        onRun: () => void this.run(),
      })
    }
    this.#editor.focus(this.#text.length)
  }

  /** Runs the query and shows its answer and plan, or its errors. Cancels a run that is still in progress. */
  async run(): Promise<void> {
    this.#running?.abort()
    const running = new AbortController()
    this.#running = running
    this.#status.textContent = 'Running …'
    const startMs = performance.now()
    try {
      const answer = await this.#services.run({ ...this.#block, query: this.#text }, running.signal)
      this.#answer(answer)
      this.#status.textContent = `${Math.round(performance.now() - startMs)} ms`
    } catch (error) {
      if (running.signal.aborted) return
      this.#answer({ text: '', plan: '', diagnostics: [] })
      this.#status.textContent = failureOf(error).message
    }
  }

  /** Stores a text that the editor shows already. */
  #take(text: string): void {
    this.#text = text
    this.#reset.hidden = text === this.#block.query
    this.#tellLink()
  }

  #change(text: string): void {
    if (this.#editor === undefined) find(this.#element, '.text code').textContent = text
    else this.#editor.setText(text)
    this.#take(text)
  }

  #tellLink(): void {
    const query =
      this.#text === this.#block.query
        ? ''
        : `?${new URLSearchParams({ block: this.#element.id, query: this.#text }).toString()}`
    this.#link.href = `${location.pathname}${query}#${this.#element.id}`
  }

  #answer({ text, plan, diagnostics }: BlockAnswer): void {
    const { id } = this.#element
    const scrolls = (name: string) => ({ tabindex: '0', role: 'group', 'aria-label': `${name} of ${id}` })
    const parts: Node[] = []
    if (text !== '') parts.push(element('pre', { class: 'answer', ...scrolls('Answer') }, text.trimEnd()))
    if (plan !== '') {
      const shown = element('pre', scrolls('Plan'), plan)
      parts.push(element('details', { class: 'plan', open: '' }, element('summary', {}, 'Plan'), shown))
    }
    find(this.#element, '.result').replaceChildren(...parts)
    const list = element('ul', { class: 'diagnostics' }, ...diagnostics.map((each) => this.#diagnostic(each)))
    find(this.#element, '.messages').replaceChildren(...(diagnostics.length === 0 ? [] : [list]))
  }

  #diagnostic({ code, severity, message: text, notes, fixes, span }: Diagnostic): HTMLElement {
    const marked = span === undefined ? '' : this.#text.slice(span.start, span.end)
    const item = element(
      'li',
      { class: severity },
      element(
        'p',
        {},
        element('strong', {}, severity),
        ' ',
        ...message(text),
        ' ',
        element('span', { class: 'code' }, code),
      ),
      ...(marked === '' ? [] : [element('p', {}, 'At ', element('mark', {}, marked))]),
      ...notes.map((note) => element('p', {}, ...message(note))),
    )
    for (const fix of fixes)
      item.append(
        button(message(fix.title), () => {
          this.#change(applyFix(this.#text, fix))
          void this.run()
        }),
      )
    return item
  }
}
