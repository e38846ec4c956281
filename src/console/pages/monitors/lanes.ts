import type { Change, Instance, StateWord } from './monitors.ts'

/** Period in which a label set had one state. The last period may have no length. */
export interface Stretch {
  readonly startMs: number
  readonly endMs: number
  readonly state: StateWord
}

export interface Lane {
  readonly key: string
  readonly labels: Readonly<Record<string, string>>
  readonly stretches: readonly Stretch[]
}

function keyOf(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Returns the states of the first `limit` label sets over time, from the history of a monitor and its current
 * instances. Label sets with changes come first.
 */
export function lanesOf(
  history: readonly Change[],
  instances: readonly Instance[],
  endMs: number,
  limit: number,
): readonly Lane[] {
  const startMs = history.reduce((least, { at }) => Math.min(least, Date.parse(at)), endMs)
  const changesOf = Map.groupBy(history, ({ labels }) => keyOf(labels))
  const instanceOf = new Map(instances.map((instance) => [keyOf(instance.labels), instance]))
  const keys = [...new Set([...changesOf.keys(), ...instanceOf.keys()])].slice(0, limit)
  return keys.map((key) => {
    const changes = (changesOf.get(key) ?? []).toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    const instance = instanceOf.get(key)
    const stretches = changes.map(({ at, to }, i): Stretch => {
      const next = changes[i + 1]
      return { startMs: Date.parse(at), endMs: next === undefined ? endMs : Date.parse(next.at), state: to }
    })
    const [first] = changes
    const before: Stretch =
      first === undefined
        ? { startMs, endMs, state: instance?.state ?? 'Normal' }
        : { startMs, endMs: Date.parse(first.at), state: first.from }
    return {
      key,
      labels: first?.labels ?? instance?.labels ?? {},
      stretches: [before, ...stretches].filter((each, i, all) => each.endMs > each.startMs || i === all.length - 1),
    }
  })
}
