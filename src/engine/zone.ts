import { SluiceError, isKnownZone, nowhere } from '../base/index.ts'
import { engineDiagnostic } from './diagnostics.ts'

/** Returns the name of a time zone in the form that `Intl` accepts. Throws `engine/bad-zone` for an unknown zone. */
export function checkedZone(zone: string): string {
  if (/^(?:Z|UTC|GMT)$/i.test(zone)) return 'UTC'
  // `Intl` accepts offsets only as `+hh:mm`.
  const name = zone.replace(
    /^(?:UTC|GMT)?([+-]\d\d):?(\d\d)?$/i,
    (_, hours: string, minutes = '00') => `${hours}:${minutes}`,
  )
  if (isKnownZone(name)) return name
  throw new SluiceError([engineDiagnostic('bad-zone', { zone }, nowhere)])
}
