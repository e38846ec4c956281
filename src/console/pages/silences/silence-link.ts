import { linkTo } from '../../app/location.ts'

/** Returns the link of a new silence that holds for alerts with these labels. */
export function linkOfSilence(labels: Readonly<Record<string, string>>): string {
  return linkTo('silences', { new: 'form', labels: JSON.stringify(labels) })
}
