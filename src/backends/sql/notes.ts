/** Notes for people who run a statement in a shell of the database: how its rows may differ from Sluice's answer. */
export const BY_CHARACTERS =
  'Strings are sorted by their characters; Sluice sorts those that are numbers, durations or times by value.'

export const CUT_BY_CHARACTERS =
  'Strings that may be numbers, durations or times come first; if the first rows have any, Sluice reads all rows and sorts by value.'

export const FLOAT_SUMS = "Sums of floats are the database's own: within 1e-9 of the sum of absolute values."

/** Returns the note that Sluice computes a value from several result columns, such as a mean from a count and a sum. */
export function partsNote(name: string, columns: readonly string[], isMean: boolean): string {
  if (isMean) return `\`${name}\` is ${columns.toReversed().join(' / ')}.`
  return `Sluice makes \`${name}\` of ${columns.join(', ')}.`
}
