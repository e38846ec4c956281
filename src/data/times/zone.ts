import { isKnownZone } from '../../base/index.ts'

const OFFSET = /^([+-])(\d{2}):?(\d{2})?$/

/** Seconds that clocks of an offset as `+02:00`, `+0200`, `+02` or `Z` are ahead of UTC; `undefined` for other texts. */
export function offsetSecondsOf(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0
  const match = OFFSET.exec(text)
  if (match === null) return undefined
  const hours = Number(match[2])
  const minutes = Number(match[3] ?? '0')
  if (hours > 23 || minutes > 59) return undefined
  return (hours * 3600 + minutes * 60) * (match[1] === '-' ? -1 : 1)
}

/** Whether a text names a zone: one of the IANA database, or an offset. */
export function isZone(text: string): boolean {
  return offsetSecondsOf(text) !== undefined || isKnownZone(text)
}
