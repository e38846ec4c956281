import type { TimeFaults } from '../data/index.ts'

/** How a person names the field that holds the time: an option of the command line, or a header. */
export type TimeFieldOption = (field: string) => string

/** One sentence or two for each way in which records have no time of their own; none if all have one. */
export function timeNotices(faults: Partial<TimeFaults>, option: TimeFieldOption): readonly string[] {
  const { unreadableTimes = 0, unreadableTime = '', timelessRecords = 0, likelyTimeField } = faults
  const notices: string[] = []
  if (unreadableTimes > 0)
    notices.push(
      `${unreadableTimes} ${unreadableTimes === 1 ? 'record has a time' : 'records have times'} that cannot be read, the first \`${unreadableTime}\`: they stand at the time of reading. ${option('NAME')} names another field.`,
    )
  if (timelessRecords > 0) {
    const found =
      likelyTimeField === undefined
        ? `If a field holds the time, ${option('NAME')} names it.`
        : `\`${likelyTimeField}\` looks like a time: ${option(likelyTimeField)}.`
    const records = timelessRecords === 1 ? 'record has no time and stands' : 'records have no time and stand'
    notices.push(`${timelessRecords} ${records} at the time of reading. ${found}`)
  }
  return notices
}
