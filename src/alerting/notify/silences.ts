import type { Labels } from '../../data/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import { compileMatchers, matchesEmpty, type LabelTest } from '../matchers/index.ts'

/** A silence, active from its start (inclusive) to its end (exclusive). */
export interface Silence {
  readonly id: string
  readonly startsAtMs: number
  readonly endsAtMs: number
  readonly matchers: readonly LabelMatcher[]
}

/** Decides which alerts are silenced when a group is checked. */
export interface Silencer {
  /** Returns the ids of the active silences that match these labels. */
  silencedBy(labels: Labels, nowMs: number): readonly string[]
}

/** A set of silences. A silence without matchers, or whose matchers match every alert, has no effect. */
export class SilenceSet implements Silencer {
  readonly #silences = new Map<string, { readonly silence: Silence; readonly holds: LabelTest }>()

  constructor(silences: Iterable<Silence> = []) {
    for (const silence of silences) this.set(silence)
  }

  /** Adds a silence or replaces the one with its id. Throws SluiceError `matchers/…`. */
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
