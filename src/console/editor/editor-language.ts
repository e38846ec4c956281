import type { Completions, LanguageMethods } from '../language/requests.ts'
import type { EditorLanguage } from './code-editor.ts'

/** Maximum number of suggestions. */
const MAX_ITEMS = 100

export type Item = Completions['items'][number]

/** Keeps the items that contain the typed text; those that begin with it come first. */
export function matching(items: readonly Item[], typed: string): readonly Item[] {
  const text = typed.toLowerCase()
  const found = items.filter(({ label }) => label.toLowerCase().includes(text))
  const begins = found.filter(({ label }) => label.toLowerCase().startsWith(text))
  return [...begins, ...found.filter((item) => !begins.includes(item))].slice(0, MAX_ITEMS)
}

/** Completes a partial implementation of a language: missing methods return nothing. */
export function editorLanguage(
  methods: Pick<LanguageMethods, 'check' | 'colours' | 'complete'> & Partial<LanguageMethods>,
): EditorLanguage {
  const all: Partial<LanguageMethods> = {
    hover: () => Promise.resolve(undefined),
    layout: ({ text }) => Promise.resolve(text),
    ...methods,
  }
  const byName: Partial<Record<string, (request: never) => unknown>> = all
  return {
    call: (method, request) =>
      (byName[method]?.(request as never) ?? Promise.reject(new Error(`no ${method}`))) as never,
  }
}

/** Cached lists of names and values from the server. */
export class ServerLists<T> {
  readonly #lists = new Map<string, Promise<readonly T[]>>()

  /** Returns the list for a key. If loading fails, it returns an empty list, and loads again at the next call. */
  read(key: string, load: () => Promise<readonly T[]>): Promise<readonly T[]> {
    const known = this.#lists.get(key)
    if (known !== undefined) return known
    const list = load().catch(() => {
      this.#lists.delete(key)
      return []
    })
    this.#lists.set(key, list)
    return list
  }
}
