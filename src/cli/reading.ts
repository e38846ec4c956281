import { MIB, nearestNames, printable } from '../base/index.ts'
import { recordNotices, type IngestReport, type RecordOptions } from '../ingest/index.ts'
import { MAX_MET_NAMES } from '../store/index.ts'
import { fitted } from './output/width.ts'
import type { Terminal } from './terminal.ts'

/** Formats whole seconds as `1m 5s`. */
function lengthText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m ${whole % 60}s`
}

/** Minimum time for a meaningful reading speed, ms. */
const LEAST_MS = 100

/**
 * Formats the progress of reading: share, amount, speed and remaining time, as far as known. `since` has the bytes that
 * were read before the measurement of the speed began, and the time since then.
 */
export function progressLine(
  report: Pick<IngestReport, 'bytes' | 'records'>,
  totalBytes: number | undefined,
  since: { readonly bytes: number; readonly passedMs: number },
): string {
  const { bytes, records } = report
  const parts = [`${records} records`, `${Math.round(bytes / MIB)} MiB`]
  const perSecond = since.passedMs < LEAST_MS ? 0 : (bytes - since.bytes) / (since.passedMs / 1000)
  if (perSecond > 0) parts.push(`${(perSecond / MIB).toFixed(1)} MiB/s`)
  if (totalBytes === undefined || totalBytes === 0) return `reading: ${parts.join(', ')}`
  if (perSecond > 0 && bytes < totalBytes) parts.push(`${lengthText((totalBytes - bytes) / perSecond)} left`)
  return `reading ${Math.min(100, Math.round((bytes / totalBytes) * 100))} %: ${parts.join(', ')}`
}

/** Shows progress on a terminal and clears it at the end. */
export function progressOn(terminal: Terminal): (report: IngestReport | undefined, totalBytes?: number) => void {
  let started: { readonly ms: number; readonly bytes: number } | undefined
  return (report, totalBytes) => {
    if (!terminal.isErrorTty) return
    if (report === undefined) {
      if (started !== undefined) terminal.writeError('\r\u001b[K', 'drawn')
      started = undefined
      return
    }
    // Measures from the first report, because it is unknown when reading began.
    started ??= { ms: terminal.nowMs(), bytes: report.bytes }
    const since = { bytes: started.bytes, passedMs: terminal.nowMs() - started.ms }
    const line = progressLine(report, totalBytes, since)
    terminal.writeError(`\r\u001b[K${fitted(line, terminal.columns - 1)}`, 'drawn')
  }
}

function badLinesText({ lines, badLines, keptLines }: IngestReport): string {
  const kept = keptLines === 1 ? 'is kept as text' : 'are kept as text'
  if (keptLines === badLines)
    return `${badLines} of ${lines} lines ${badLines === 1 ? 'is' : 'are'} of another format and ${kept}`
  return `${badLines} of ${lines} lines could not be read${keptLines === 0 ? '' : `, ${keptLines} of them ${kept}`}`
}

/** Maximum number of field names listed if none is similar to the requested one. */
const NAMED_FIELDS = 8

/** Returns a sentence for each option whose fields occur in no record. */
function absentFields({ names, records }: IngestReport, said: RecordOptions | undefined): readonly string[] {
  // A list of this size is incomplete: a field that it lacks may still occur in records.
  if (said === undefined || records === 0 || names.size === 0 || names.size >= MAX_MET_NAMES) return []
  const has = (wanted: string): boolean => {
    // A time field also matches if its name has another case or is that of an object with members.
    const start = wanted.toLowerCase()
    return (
      names.has(wanted) ||
      [...names].some((name) => {
        const lower = name.toLowerCase()
        return said.timeFields?.includes(wanted) === true && (lower === start || lower.startsWith(`${start}.`))
      })
    )
  }
  const { timeFields = [], textFields = [], levelFields = [], streamFields = [] } = said
  const asked = [
    ['--time-field', timeFields],
    ['--text-field', textFields],
    ['--level-field', levelFields],
    // Each stream field is checked alone, because the option needs all of its fields; other options need only one.
    ...streamFields.map((name) => ['--stream-fields', [name]] as const),
  ] as const
  return asked.flatMap(([option, wanted]) => {
    if (wanted.length === 0 || wanted.some(has)) return []
    const near = wanted.flatMap((name) => nearestNames(name, names, 1))
    const fields = [...names].slice(0, NAMED_FIELDS).join(', ')
    const hint =
      near.length > 0
        ? `Did you mean \`${near[0]}\`?`
        : `Fields are ${fields}${names.size > NAMED_FIELDS ? ' and others' : ''}.`
    return [`${option} ${wanted.join(',')}: no record that was read has this field. ${hint}`]
  })
}

/** Reports records without a time, record options that matched no field, and bad lines. */
export function tellBadLines(report: IngestReport, said: RecordOptions | undefined, terminal: Terminal): void {
  const { damagedLines, passedOver } = report
  for (const { reason } of passedOver) terminal.writeError(`${reason}\n`)
  if (damagedLines > 0)
    terminal.writeError(
      `${damagedLines} ${damagedLines === 1 ? 'line has' : 'lines have'} bytes that are not UTF-8, shown as \ufffd.\n`,
    )
  for (const notice of recordNotices(report, (word, value) => `--${word} ${value}`))
    terminal.writeError(`${printable(notice)}\n`)
  for (const notice of absentFields(report, said)) terminal.writeError(`${printable(notice)}\n`)
  if (report.badLines === 0) return
  terminal.writeError(`${badLinesText(report)}:\n`)
  for (const { lineNumber, reason, excerpt } of report.examples) {
    terminal.writeError(`  line ${lineNumber}: ${reason}: ${printable(excerpt)}\n`)
  }
}
