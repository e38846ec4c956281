import type { Labels } from '../../data/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import { compileMatchers, matchesEmpty, type LabelTest } from '../matchers/index.ts'

/** A silence as deliveries see it: active from its start until before its end. */
export interface Silence {
  readonly id: string
  readonly startsAtMs: number
  readonly endsAtMs: number
  readonly matchers: readonly LabelMatcher[]
}

/** Decides at the moment of a look which alerts are silenced. */
export interface Silencer {
  /** Returns the ids of the active silences that hold for these labels. */
  silencedBy(labels: Labels, nowMs: number): readonly string[]
}

/** A set of silences. One whose matchers hold for every alert, or that has none, silences nothing. */
export class SilenceSet implements Silencer {
  readonly #silences = new Map<string, { readonly silence: Silence; readonly holds: LabelTest }>()

  constructor(silences: Iterable<Silence> = []) {
    for (const silence of silences) this.set(silence)
  }

  /** Adds a silence or replaces the one with the same id. Throws SluiceError `matchers/…`. */
  set(silence: Silence): void {
    const holds = matchesEmpty(silence.matchers) ? () => false : compileMatchers(silence.matchers)
    this.#silences.set(silence.id, { silence, holds })
  }

  delete(id: string): boolean {
    return this.#silences.delete(id)
  }

  get(id: string): Silence | undefined {
    return this.#silences.get(id)?.silence
  }

  list(): readonly Silence[] {
    return [...this.#silences.values()].map(({ silence }) => silence)
  }

  silencedBy(labels: Labels, nowMs: number): readonly string[] {
    const ids: string[] = []
    for (const [id, { silence, holds }] of this.#silences) {
      if (silence.startsAtMs <= nowMs && nowMs < silence.endsAtMs && holds(labels)) ids.push(id)
    }
    return ids
  }
}
