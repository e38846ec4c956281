import { SluiceError, formatRfc3339, parseRfc3339 } from '../../base/index.ts'
import type { Labels, PlainJson } from '../../data/index.ts'
import type { Actor, DocumentBody, DocumentStore, StoredDocument } from '../../resources/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import { readSilenceMatcher, silenceMatcherShape } from '../matchers/index.ts'
import { SilenceSet, type Silencer, type SilenceStore, type StoredSilence } from '../notify/index.ts'

function timeMs(value: PlainJson | undefined): number {
  const ns = typeof value === 'string' ? parseRfc3339(value) : undefined
  return Number((ns ?? 0n) / 1_000_000n)
}

function textOf(value: PlainJson | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** Decodes stored matchers. If one is invalid, returns an empty list; a silence without matchers has no effect. */
function matchersOf(given: PlainJson | undefined): readonly LabelMatcher[] {
  try {
    return Array.isArray(given) ? given.map((matcher, i) => readSilenceMatcher(matcher, ['matchers', i])) : []
  } catch (error) {
    // An unreadable silence of another release must not stop all notifications.
    if (error instanceof SluiceError) return []
    throw error
  }
}

function silenceOf({ id, body, createdBy, updatedAtNs }: StoredDocument): StoredSilence {
  return {
    id,
    startsAtMs: timeMs(body['startsAt']),
    endsAtMs: timeMs(body['endsAt']),
    matchers: matchersOf(body['matchers']),
    createdBy: textOf(body['author']) || textOf(body['email']) || createdBy,
    comment: textOf(body['comment']),
    updatedAtMs: Number(updatedAtNs / 1_000_000n),
  }
}

function timeText(ms: number): string {
  return formatRfc3339(BigInt(Math.round(ms)) * 1_000_000n)
}

/** Converts a silence of Alertmanager's API to the form in which `POST /api/monitors/silences` stores it. */
function bodyOf({ startsAtMs, endsAtMs, matchers, createdBy, comment }: StoredSilence, { email }: Actor): DocumentBody {
  return {
    startsAt: timeText(startsAtMs),
    endsAt: timeText(endsAtMs),
    comment,
    matchers: matchers.map((matcher) => ({ ...silenceMatcherShape(matcher) })),
    // `createdBy` is the client's claim; the audit log records the key that was used.
    author: createdBy,
    ...(email === undefined ? {} : { email }),
  }
}

/**
 * True if the author of a silence may see an alert with these labels; otherwise the silence has no effect on it (M63).
 */
export type MaySilence = (silence: StoredDocument, labels: Labels) => boolean

/** The stored silences of one backend. A silence has no effect in other backends (M63). */
export class StoredSilences implements Silencer {
  readonly #store: DocumentStore
  readonly #backend: string
  readonly #mayHold: MaySilence
  #list: readonly StoredDocument[] | undefined
  #set = new SilenceSet()
  #documents = new Map<string, StoredDocument>()

  constructor(store: DocumentStore, backend: string, mayHold: MaySilence) {
    this.#store = store
    this.#backend = backend
    this.#mayHold = mayHold
  }

  /** Returns a store for Alertmanager's API; changes are made in the name of `actor`. */
  storeFor(actor: Actor): SilenceStore {
    const all = (): readonly StoredDocument[] => this.#store.read(this.#backend, (view) => view.list('silence'))
    return {
      list: () => all().map(silenceOf),
      get: (id) => {
        const document = this.#store.read(this.#backend, (view) => view.get('silence', id))
        return document && silenceOf(document)
      },
      put: async (silence) => {
        await this.#store.write(actor, (tx) => tx.put('silence', silence.id, bodyOf(silence, actor)))
      },
    }
  }

  silencedBy(labels: Labels, nowMs: number): readonly string[] {
    // The list is the same object until a silence changes, so it serves as a cache key.
    const documents = this.#store.read(this.#backend, (view) => view.list('silence'))
    if (documents !== this.#list) {
      this.#list = documents
      this.#documents = new Map(documents.map((document) => [document.id, document]))
      this.#set = new SilenceSet(documents.map(silenceOf))
    }
    return this.#set.silencedBy(labels, nowMs).filter((id) => {
      const document = this.#documents.get(id)
      return document !== undefined && this.#mayHold(document, labels)
    })
  }
}
