import { unsureZone, type RecordFaults } from '../data/index.ts'

/** Returns how a user writes an option for times: as a command-line option, or as a header. */
export type TimeOption = (word: 'time-field' | 'tz', value: string) => string

/** An example zone for each abbreviation that several zones share. */
const EXAMPLE_ZONES: Readonly<Record<string, string>> = {
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  IST: 'Asia/Kolkata',
  PST: 'America/Los_Angeles',
}

/** Returns one or two sentences for each kind of fault in the records; an empty list when there is none. */
export function recordNotices(faults: Partial<RecordFaults>, option: TimeOption): readonly string[] {
  const { unreadableTimes = 0, unreadableTime = '', timelessRecords = 0, likelyTimeField } = faults
  const notices: string[] = []
  if (unreadableTimes > 0) {
    const records = unreadableTimes === 1 ? 'record has a time' : 'records have times'
    const zone = unsureZone(unreadableTime)
    const fix =
      zone === undefined
        ? `${option('time-field', 'NAME')} names another field.`
        : `\`${zone}\` stands for several zones: ${option('tz', 'ZONE')} says which, as ${option('tz', EXAMPLE_ZONES[zone] ?? 'Europe/Berlin')}.`
    notices.push(
      `${unreadableTimes} ${records} that cannot be read, the first \`${unreadableTime}\`: they stand at the time of reading. ${fix}`,
    )
  }
  if (timelessRecords > 0) {
    const found =
      likelyTimeField === undefined
        ? `If a field holds the time, ${option('time-field', 'NAME')} names it.`
        : `\`${likelyTimeField}\` looks like a time: ${option('time-field', likelyTimeField)}.`
    const records = timelessRecords === 1 ? 'record has no time and stands' : 'records have no time and stand'
    notices.push(`${timelessRecords} ${records} at the time of reading. ${found}`)
  }
  const { widerRecords = 0, narrowerRecords = 0, doubledColumn } = faults
  if (doubledColumn !== undefined)
    notices.push(`Several columns are called \`${doubledColumn}\`: the second is \`${doubledColumn}_2\`, and so on.`)
  if (widerRecords > 0)
    notices.push(
      `${widerRecords} ${widerRecords === 1 ? 'record has' : 'records have'} values behind the last named column: their fields are called \`column\` with the place of the column.`,
    )
  if (narrowerRecords > 0)
    notices.push(
      `${narrowerRecords} ${narrowerRecords === 1 ? 'record has' : 'records have'} fewer cells than there are columns: the last fields are missing.`,
    )
  return notices
}
