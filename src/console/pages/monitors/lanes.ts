import type { Change, Instance, StateWord } from './monitors.ts'

/** A time in which a label set had one state. */
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

/** Returns the states of each label set over time, from the changes of a monitor and its instances now. */
export function lanesOf(history: readonly Change[], instances: readonly Instance[], endMs: number): readonly Lane[] {
  const startMs = Math.min(endMs, ...history.map(({ at }) => Date.parse(at)))
  const keys = new Map([...history, ...instances].map(({ labels }) => [keyOf(labels), labels]))
  return [...keys].map(([key, labels]) => {
    const changes = history
      .filter((change) => keyOf(change.labels) === key)
      .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    const now = instances.find((instance) => keyOf(instance.labels) === key)?.state
    const stretches = changes.map(({ at, to }, i): Stretch => {
      const next = changes[i + 1]
      return { startMs: Date.parse(at), endMs: next === undefined ? endMs : Date.parse(next.at), state: to }
    })
    const [first] = changes
    const before: readonly Stretch[] =
      first === undefined
        ? [{ startMs, endMs, state: now ?? 'Normal' }]
        : [{ startMs, endMs: Date.parse(first.at), state: first.from }]
    return { key, labels, stretches: [...before, ...stretches].filter((each) => each.endMs > each.startMs) }
  })
}
