import { parseRfc3339 } from '../../base/index.ts'
import type { Labels, PlainJson } from '../../data/index.ts'
import type { DocumentStore, StoredDocument } from '../../resources/index.ts'
import { readSilenceMatchers } from '../matchers/index.ts'
import { SilenceSet, type Silence, type Silencer } from '../notify/index.ts'

function timeMs(value: PlainJson | undefined): number {
  const ns = typeof value === 'string' ? parseRfc3339(value) : undefined
  return Number((ns ?? 0n) / 1_000_000n)
}

function silenceOf({ id, body }: StoredDocument): Silence {
  const given = body['matchers']
  return {
    id,
    startsAtMs: timeMs(body['startsAt']),
    endsAtMs: timeMs(body['endsAt']),
    matchers: readSilenceMatchers(Array.isArray(given) ? given : [], ['matchers']),
  }
}

/** The silences of one backend as they are stored now. Those of other backends silence nothing here (M63). */
export class StoredSilences implements Silencer {
  readonly #store: DocumentStore
  readonly #backend: string
  #epoch: string | undefined
  #set = new SilenceSet()

  constructor(store: DocumentStore, backend: string) {
    this.#store = store
    this.#backend = backend
  }

  silencedBy(labels: Labels, nowMs: number): readonly string[] {
    const epoch = this.#store.epoch()
    if (epoch !== this.#epoch) {
      this.#epoch = epoch
      this.#set = new SilenceSet(this.#store.read(this.#backend, (view) => view.list('silence')).map(silenceOf))
    }
    return this.#set.silencedBy(labels, nowMs)
  }
}
