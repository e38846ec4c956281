import { states, type MonitorEntry } from './monitors.ts'

type Column = 'state' | 'title' | 'severity' | 'type' | 'evaluated'

const valueOf: Readonly<Record<Column, (entry: MonitorEntry) => number | string>> = {
  state: ({ state }) => states.indexOf(state),
  title: ({ title }) => title.toLowerCase(),
  severity: ({ severity }) => severity,
  type: ({ type }) => type,
  evaluated: ({ evaluatedAt }) => evaluatedAt ?? '',
}

const columns = Object.keys(valueOf) as readonly Column[]

/** Filters monitors by text and state, and sorts them by a column. */
export function shownMonitors(
  entries: readonly MonitorEntry[],
  { q = '', state, sort = 'state' }: { q?: string | undefined; state?: string | undefined; sort?: string | undefined },
): readonly MonitorEntry[] {
  const words = q.toLowerCase().split(/\s+/)
  const column = columns.find((name) => name === sort.replace(/^-/, '')) ?? 'state'
  const sign = sort.startsWith('-') ? -1 : 1
  const by = valueOf[column]
  return entries
    .filter((entry) => state === undefined || entry.state === state)
    .filter(({ title, severity, type, error }) => {
      const text = `${title} ${severity} ${type} ${error}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .toSorted((a, b) => {
      const [x, y] = [by(a), by(b)]
      return x === y ? a.title.localeCompare(b.title) : sign * (x < y ? -1 : 1)
    })
}
