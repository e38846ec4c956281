import { SluiceError, isKnownZone, nowhere } from '../base/index.ts'
import { engineDiagnostic } from './diagnostics.ts'

/** The name of a zone as calendars take it. Throws `engine/bad-zone`. */
export function checkedZone(zone: string): string {
  if (/^(?:Z|UTC|GMT)$/i.test(zone)) return 'UTC'
  // An offset is written as the database of zones writes it.
  const name = zone.replace(
    /^(?:UTC|GMT)?([+-]\d\d):?(\d\d)?$/i,
    (_, hours: string, minutes = '00') => `${hours}:${minutes}`,
  )
  if (isKnownZone(name)) return name
  throw new SluiceError([engineDiagnostic('bad-zone', { zone }, nowhere)])
}
