import { linkTo } from '../../app/location.ts'

/** Returns a link that opens a new silence for alerts with these labels. */
export function linkOfSilence(labels: Readonly<Record<string, string>>): string {
  return linkTo('silences', { new: 'form', labels: JSON.stringify(labels) })
}
