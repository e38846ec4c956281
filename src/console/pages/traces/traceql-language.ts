import type { Ask } from '../../ask/client.ts'
import type { TimeRange } from '../../ask/requests.ts'
import type { EditorLanguage } from '../../editor/code-editor.ts'
import { ServerLists, editorLanguage, matching, type Item } from '../../editor/editor-language.ts'
import type { Completions, OffsetRequest } from '../../language/requests.ts'
import { askTempo } from './tempo.ts'
import { coloursOf, wantedAt } from './traceql-words.ts'

/** Maximum number of names of each scope, or values of a field, that are read from the server. */
const MAX_LISTED = 1000

interface SentScopes {
  readonly scopes: readonly { readonly name: string; readonly tags: readonly string[] }[]
}

interface SentValues {
  readonly tagValues: readonly { readonly type: string; readonly value?: string }[]
}

/** Returns the completion for an attribute. Names with special characters are quoted. */
function attributeItem(scope: string, name: string): Item {
  const isPlain = /^[^\s{}()=~!<>&|^,"]+$/.test(name)
  const insertText = `${scope}.${isPlain ? name : JSON.stringify(name)}`
  return { label: `${scope}.${name}`, kind: 'field', detail: '', insertText }
}

function fieldItem(label: string): Item {
  return { label, kind: 'field', detail: '', insertText: label }
}

/** True if a field may follow. In that case `duration` is among the words. */
function takesFields(words: readonly Item[]): boolean {
  return words.some(({ label }) => label === 'duration')
}

/** Removes items that insert the same text as an earlier one. */
function uniqueItems(items: readonly Item[]): readonly Item[] {
  const seen = new Set<string>()
  return items.filter(({ insertText }) => !seen.has(insertText) && seen.add(insertText))
}

/**
 * Language support for TraceQL. The language service knows the grammar; the server provides attribute names and values.
 */
export class TraceqlLanguage implements EditorLanguage {
  readonly #ask: Ask
  readonly #language: EditorLanguage
  readonly #range: () => TimeRange | undefined
  readonly #fields = new ServerLists<Item>()
  readonly #values = new ServerLists<Item>()
  readonly call: EditorLanguage['call']

  /** `range` is the time range whose names and values are offered. */
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
    const values = field === undefined ? [] : await this.#valuesOf(field)
    if (kind === 'string') {
      const strings = values.filter(({ insertText }) => insertText.startsWith('"'))
      return { span, items: matching(strings, text) }
    }
    const { items: words } = await this.#language.call('complete', { ...request, offset: start })
    const fields = takesFields(words) ? await this.#allFields(text.startsWith('.')) : []
    // Labels show names without quotes.
    return { span, items: matching(uniqueItems([...values, ...words, ...fields]), text.replaceAll('"', '')) }
  }

  /** Returns the attribute names of all scopes; with `isAnyScope`, the names have no scope. */
  #allFields(isAnyScope: boolean): Promise<readonly Item[]> {
    return this.#fields.read(String(isAnyScope), async () => {
      const { scopes } = await this.#read<SentScopes>('v2/search/tags')
      return scopes.flatMap(({ name: scope, tags }) => {
        if (scope === 'intrinsic') return isAnyScope ? [] : tags.map(fieldItem)
        return tags.map((name) => attributeItem(isAnyScope ? '' : scope, name))
      })
    })
  }

  #valuesOf(field: string): Promise<readonly Item[]> {
    return this.#values.read(field, async () => {
      const { tagValues } = await this.#read<SentValues>(`v2/search/tag/${encodeURIComponent(field)}/values`)
      return tagValues.map(({ type, value = '' }): Item => {
        const insertText = type === 'string' ? JSON.stringify(value) : value
        return { label: value, kind: 'value', detail: '', insertText }
      })
    })
  }

  async #read<T>(path: string): Promise<T> {
    const range = this.#range()
    if (range === undefined) throw new Error('the range of the link is no range')
    return askTempo<T>(this.#ask, path, range, { limit: String(MAX_LISTED) })
  }
}
