import { parseDurationNs } from '../../base/index.ts'

const UNITS: ReadonlyMap<string, string> = new Map([
  ['second', 's'],
  ['minute', 'm'],
  ['hour', 'h'],
  ['day', 'd'],
  ['week', 'w'],
])

const IN_WORDS = /(\d+(?:\.\d+)?)\s*(second|minute|hour|day|week)s?/gi

/** Parses `5m`, `1h30m`, `10 minutes`, `1 hour 30 minutes` to ns; `undefined` for other texts. */
export function monitorDurationNs(text: string): bigint | undefined {
  const short = text
    .trim()
    .replaceAll(IN_WORDS, (_, amount: string, unit: string) => `${amount}${UNITS.get(unit.toLowerCase()) ?? ''}`)
  return parseDurationNs(short.replaceAll(/\s+/g, ''))
}

/** True if two texts are equal or stand for the same duration. */
export function isSameDuration(a: string, b: string): boolean {
  if (a === b) return true
  const ns = monitorDurationNs(a)
  return ns !== undefined && ns === monitorDurationNs(b)
}
