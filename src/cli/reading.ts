import type { IngestReport } from '../ingest/index.ts'
import type { Terminal } from './terminal.ts'

/** Shows on a terminal how far reading is, and wipes it away at the end. */
export function progressOn(terminal: Terminal): (report: IngestReport | undefined, totalBytes?: number) => void {
  let hasShown = false
  return (report, totalBytes) => {
    if (!terminal.isErrorTty) return
    if (report === undefined) {
      if (hasShown) terminal.writeError('\r\u001b[K')
      return
    }
    hasShown = true
    const share =
      totalBytes === undefined || totalBytes === 0
        ? ''
        : ` ${Math.min(100, Math.round((report.bytes / totalBytes) * 100))} %`
    const done = `${report.records} records, ${Math.round(report.bytes / 1048576)} MiB`
    terminal.writeError(`\r\u001b[Kreading${share}: ${done}`)
  }
}

/** Says how many lines were bad and shows the first ones. */
export function tellBadLines(report: IngestReport, terminal: Terminal): void {
  const { damagedLines, passedOver } = report
  for (const { reason } of passedOver) terminal.writeError(`${reason}\n`)
  if (damagedLines > 0)
    terminal.writeError(
      `${damagedLines} ${damagedLines === 1 ? 'line has' : 'lines have'} bytes that are not UTF-8, shown as \ufffd.\n`,
    )
  if (report.badLines === 0) return
  terminal.writeError(`${report.badLines} of ${report.lines} lines could not be read:\n`)
  for (const { lineNumber, reason, excerpt } of report.examples) {
    terminal.writeError(`  line ${lineNumber}: ${reason}: ${excerpt}\n`)
  }
}
