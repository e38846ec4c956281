import { isClose } from './promql-compare.ts'

export type Labels = Readonly<Record<string, string>>

export function sortedJson(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function sameText(actual: unknown, expected: unknown): boolean {
  return JSON.stringify(actual) === JSON.stringify(expected)
}

export interface Stream {
  readonly stream: Labels
  readonly values: readonly (readonly [string, string, unknown?])[]
}

function withSortedParts(values: Stream['values']): unknown {
  return values.map(([time, line, labels]) => [
    time,
    line,
    Object.entries((labels ?? {}) as Record<string, Labels>).map(([part, each]) => [part, sortedJson(each)]),
  ])
}

export function compareStreams(actual: readonly Stream[], expected: readonly Stream[]): string | undefined {
  const left = new Map(actual.map((stream) => [sortedJson(stream.stream), stream.values]))
  const right = new Map(expected.map((stream) => [sortedJson(stream.stream), stream.values]))
  for (const [labels, values] of right) {
    const found = left.get(labels)
    if (found === undefined) return `no stream ${labels}; there are ${[...left.keys()].slice(0, 3).join(' ')}`
    const [got, wanted] = [withSortedParts(found), withSortedParts(values)]
    if (!sameText(got, wanted))
      return `stream ${labels} has ${JSON.stringify(got).slice(0, 400)}, wanted ${JSON.stringify(wanted).slice(0, 400)}`
  }
  const surplus = [...left.keys()].find((labels) => !right.has(labels))
  return surplus === undefined ? undefined : `a stream too many: ${surplus}`
}

export interface Series {
  readonly metric: Labels
  readonly value?: readonly [number, string]
  readonly values?: readonly (readonly [number, string])[]
}

export function sameNumber(actual: string, expected: string): boolean {
  return actual === expected || isClose(Number(actual), Number(expected), 1e-9)
}

export function compareSeries(
  actual: readonly Series[],
  expected: readonly Series[],
  isOrdered: boolean,
): string | undefined {
  const points = ({ value, values }: Series): readonly (readonly [number, string])[] => values ?? (value ? [value] : [])
  if (isOrdered) {
    const order = (series: readonly Series[]): readonly string[] => series.map((each) => points(each)[0]?.[1] ?? '')
    const [got, wanted] = [order(actual), order(expected)]
    if (got.length !== wanted.length || !got.every((text, i) => sameNumber(text, wanted[i] ?? '')))
      return `in the order ${got.join(' ')}, wanted ${wanted.join(' ')}`
  }
  const left = new Map(actual.map((series) => [sortedJson(series.metric), points(series)]))
  for (const series of expected) {
    const labels = sortedJson(series.metric)
    const got = left.get(labels)
    if (got === undefined) return `no series ${labels}; there are ${[...left.keys()].slice(0, 3).join(' ')}`
    const wanted = points(series)
    const isSame =
      got.length === wanted.length &&
      got.every(([time, text], i) => time === wanted[i]?.[0] && sameNumber(text, wanted[i]?.[1] ?? ''))
    if (!isSame)
      return `series ${labels} has ${JSON.stringify(got).slice(0, 300)}, wanted ${JSON.stringify(wanted).slice(0, 300)}`
    left.delete(labels)
  }
  const [surplus] = left.keys()
  return surplus === undefined ? undefined : `a series too many: ${surplus}`
}
