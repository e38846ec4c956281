import type { DictionaryState, StateDelta } from './dictionary-entries.ts'
import type { GrowingDictionary, StoredDictionary, EncodedDictionary } from './dictionary.ts'

/** Changes of a dictionary in memory, or the location of a dictionary in a file. */
export type DictionaryDelta = StateDelta | { readonly stored: EncodedDictionary }

const BUFFERS = ['tags', 'numbers', 'bytes', 'offsets', 'hashes', 'slots'] as const

/** Returns the changes from `before` to `now`. */
function changesOf(before: DictionaryState, now: DictionaryState): StateDelta {
  const { size, isAllText, numberCount, indexed } = now
  const changed = BUFFERS.filter((name) => before[name] !== now[name])
  return { size, isAllText, numberCount, indexed, ...Object.fromEntries(changed.map((name) => [name, now[name]])) }
}

/**
 * Sends dictionaries to another thread; after the first call for a dictionary, only its changes. Holds dictionaries
 * weakly.
 */
export class DictionarySender {
  readonly #sent = new WeakMap<GrowingDictionary, DictionaryState | 'where it lies'>()

  /** Returns the changes since the last call for this dictionary; `undefined` if there are none. */
  news(dictionary: GrowingDictionary): DictionaryDelta | undefined {
    const before = this.#sent.get(dictionary)
    const encoded = dictionary.stored?.encoded
    if (encoded !== undefined) {
      if (before !== undefined) return undefined
      this.#sent.set(dictionary, 'where it lies')
      return { stored: encoded }
    }
    const known = before === 'where it lies' ? undefined : before
    if (known?.size === dictionary.size) return undefined
    const state = dictionary.entries.state()
    this.#sent.set(dictionary, state)
    return known === undefined ? state : changesOf(known, state)
  }
}

/** Applies changes that a `DictionarySender` in another thread sent. */
export function receiveDictionary(
  dictionary: GrowingDictionary,
  news: DictionaryDelta,
  open: (encoded: EncodedDictionary) => StoredDictionary,
): void {
  if ('stored' in news) dictionary.store(open(news.stored))
  else dictionary.adopt(news)
}
