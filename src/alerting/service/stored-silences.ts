import { SluiceError, formatRfc3339, parseRfc3339 } from '../../base/index.ts'
import type { Labels, PlainJson } from '../../data/index.ts'
import type { Actor, Body, DocumentStore, StoredDocument } from '../../resources/index.ts'
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

/** Matchers as they are stored; none, which silence nothing, if one of them cannot be read. */
function matchersOf(given: PlainJson | undefined): readonly LabelMatcher[] {
  try {
    return Array.isArray(given) ? given.map((matcher, i) => readSilenceMatcher(matcher, ['matchers', i])) : []
  } catch (error) {
    // A silence of an earlier version must not end the notifications of all others.
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

/** The body of a silence of Alertmanager's API, in the form of `POST /api/monitors/silences`. */
function bodyOf({ startsAtMs, endsAtMs, matchers, createdBy, comment }: StoredSilence, { email }: Actor): Body {
  return {
    startsAt: timeText(startsAtMs),
    endsAt: timeText(endsAtMs),
    comment,
    matchers: matchers.map((matcher) => ({ ...silenceMatcherShape(matcher) })),
    // The name that the client gives; the audit has the key.
    author: createdBy,
    ...(email === undefined ? {} : { email }),
  }
}

/** Whether the author of a silence may see the alert with these labels; nobody mutes what is hidden from them (M63). */
export type MaySilence = (silence: StoredDocument, labels: Labels) => boolean

/** The silences of one backend as they are stored now. Those of other backends silence nothing here (M63). */
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

  /** Silences as Alertmanager's API reads and changes them, for one caller. */
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
    // The list is the same object until a silence changes.
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
