import type { Ask } from '../../ask/client.ts'
import { EVERY_ENTRY, type TimeRange } from '../../ask/requests.ts'
import type { EditorLanguage } from '../../editor/code-editor.ts'
import { ServerLists, editorLanguage, matching } from '../../editor/editor-language.ts'
import type { Completions, OffsetRequest } from '../../language/requests.ts'
import { coloursOf, streamsAt, wantedAt } from './logql-words.ts'

/** Number of newest lines of the streams whose fields completion offers. */
const LINES = 1000

/** Answer of the server with a list of labels, fields or values. For an empty list the member is missing. */
interface SentList {
  readonly data?: readonly string[]
  readonly values?: readonly string[]
  readonly fields?: readonly { readonly label: string }[]
}

/**
 * Language support for LogQL. The language service knows the grammar; the server provides labels, fields of lines, and
 * values.
 */
export class LogqlLanguage implements EditorLanguage {
  readonly #ask: Ask
  readonly #language: EditorLanguage
  readonly #range: () => TimeRange | undefined
  readonly #lists = new ServerLists<string>()
  readonly call: EditorLanguage['call']

  /** `range` returns the time range whose names and values are offered. */
  constructor(ask: Ask, language: EditorLanguage, range: () => TimeRange | undefined) {
    this.#ask = ask
    this.#language = language
    this.#range = range
    this.call = editorLanguage({
      check: (request) => language.call('check', request),
      colours: ({ text }) => Promise.resolve(coloursOf(text)),
      complete: (request) => this.#complete(request),
      layout: (request) => language.call('layout', request),
    }).call
  }

  async #complete(request: OffsetRequest): Promise<Completions> {
    const { start, end, text, kind, field } = wantedAt(request.text, request.offset)
    const span = { start, end }
    if (kind === 'nothing') return { span, items: [] }
    const { selector, isInside } = streamsAt(request.text, start)
    const fields = isInside ? undefined : (selector ?? EVERY_ENTRY)
    if (field !== undefined) {
      const values = await this.#valuesOf(field, fields)
      const items = values.map((value) => {
        return { label: value, kind: 'value', detail: '', insertText: JSON.stringify(value) }
      })
      return { span, items: matching(items, text) }
    }
    const { items: words, takesNames } = await this.#language.call('complete', { ...request, offset: start })
    const names = takesNames === true ? await this.#namesOf(fields) : []
    const labels = names.map((name) => ({ label: name, kind: 'field', detail: '', insertText: name }))
    return { span, items: matching([...words, ...labels], text) }
  }

  /** Returns the labels of streams; with a selector also the fields of the newest lines of its streams. */
  #namesOf(selector: string | undefined): Promise<readonly string[]> {
    return this.#both('labels', 'detected_fields', selector)
  }

  #valuesOf(name: string, selector: string | undefined): Promise<readonly string[]> {
    const path = encodeURIComponent(name)
    return this.#both(`label/${path}/values`, `detected_field/${path}/values`, selector)
  }

  async #both(ofStreams: string, ofLines: string, selector: string | undefined): Promise<readonly string[]> {
    const [streams, lines] = await Promise.all([
      this.#list(ofStreams, {}),
      selector === undefined ? [] : this.#list(ofLines, { query: selector, line_limit: String(LINES) }),
    ])
    return [...new Set([...streams, ...lines])]
  }

  /** Reads a list from the server once. */
  #list(
    path: string,
    parameters: { readonly query?: string; readonly line_limit?: string },
  ): Promise<readonly string[]> {
    return this.#lists.read(`${path} ${parameters.query ?? ''}`, async () => {
      const range = this.#range()
      if (range === undefined) throw new Error('the range of the link is no range')
      const times = { start: `${Math.round(range.startMs)}000000`, end: `${Math.round(range.endMs)}000000` }
      const form = new URLSearchParams({ ...times, ...parameters }).toString()
      const { body } = await this.#ask('json', { method: 'GET', path: `/loki/api/v1/${path}?${form}` })
      const { data, values, fields = [] } = body as SentList
      return data ?? values ?? fields.map(({ label }) => label)
    })
  }
}
