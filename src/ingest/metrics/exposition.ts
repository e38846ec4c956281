import { Options, checkArgument, ITEMS_PER_CHECKPOINT, runToEnd, type StepwiseTask } from '../../base/index.ts'
import { LineFault, LineScanner, readFloat } from './exposition-scanner.ts'
import { BatchBuilder, type DecodedMetrics, type MetricBatch } from './metric-sample.ts'

/** `text` is the Prometheus text format, with times in milliseconds. `open-metrics` has times in seconds. */
export type ExpositionFormat = 'text' | 'open-metrics'

export interface ExpositionOptions {
  readonly format: ExpositionFormat
  /** The time of samples without a time, in milliseconds since 1970. */
  readonly defaultTimeMs: number
}

const expositionOptions = new Options<ExpositionOptions>({
  format: { words: { text: true, 'open-metrics': true } },
  defaultTimeMs: 'number',
})

/** Returns the format of a content type. */
export function expositionFormat(contentType: string): ExpositionFormat {
  return contentType.toLowerCase().startsWith('application/openmetrics-text') ? 'open-metrics' : 'text'
}

interface OpenMetadata {
  type: string
  help: string
  unit: string
}

function unescapeHelp(text: string): string {
  return text.replace(/\\(\\|n|")/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
}

/** Reads `# HELP name text`, `# TYPE name type` and `# UNIT name unit`; other comments are ignored. */
function readComment(line: string, metadata: Map<string, OpenMetadata>): void {
  const match = /^#\s+(HELP|TYPE|UNIT)\s+("(?:[^"\\]|\\.)*"|\S+)\s*(.*)$/.exec(line)
  if (match === null) return
  const [, kind, quoted = '', rest = ''] = match
  const name = quoted.startsWith('"') ? unescapeHelp(quoted.slice(1, -1)) : quoted
  let entry = metadata.get(name)
  if (entry === undefined) {
    entry = { type: '', help: '', unit: '' }
    metadata.set(name, entry)
  }
  if (kind === 'HELP') entry.help = unescapeHelp(rest)
  else if (kind === 'TYPE') entry.type = rest.trim()
  else entry.unit = rest.trim()
}

function readSample(line: string, options: ExpositionOptions, builder: BatchBuilder): void {
  const scanner = new LineScanner(line)
  const labels = scanner.labels()
  scanner.skipBlanks()
  const value = readFloat(scanner.word())
  scanner.skipBlanks()
  let timeMs = options.defaultTimeMs
  // The text after a `#` is an exemplar.
  if (!scanner.isAtEnd && !scanner.isAt('#')) {
    const time = readFloat(scanner.word())
    timeMs = options.format === 'open-metrics' ? Math.round(time * 1000) : Math.trunc(time)
    if (!Number.isSafeInteger(timeMs)) throw new LineFault('the time is out of range')
    scanner.skipBlanks()
  }
  if (!scanner.isAtEnd && !scanner.isAt('#')) throw new LineFault('there is more after the time')
  const reason = builder.add(labels, [{ timeMs, value }])
  if (reason !== undefined) throw new LineFault(reason)
}

/** Does the same as `parseExposition`, but yields between lines. */
export function* readExposition(text: string, options: ExpositionOptions): StepwiseTask<DecodedMetrics> {
  const builder = new BatchBuilder()
  const metadata = new Map<string, OpenMetadata>()
  let lineNumber = 0
  for (let start = 0, end = 0; end < text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    if (lineNumber % ITEMS_PER_CHECKPOINT === ITEMS_PER_CHECKPOINT - 1) yield
    lineNumber++
    const line = text.slice(start, end).trim()
    if (line === '') continue
    if (options.format === 'open-metrics' && line === '# EOF') break
    if (line.startsWith('#')) {
      readComment(line, metadata)
      continue
    }
    try {
      readSample(line, options, builder)
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      builder.reject(lineNumber, error.message)
    }
  }
  for (const [name, entry] of metadata) builder.metadata.push({ name, ...entry })
  return builder
}

/**
 * Parses the text format or OpenMetrics. Faulty lines are left out and reported; exemplars are skipped. Reading stops
 * at OpenMetrics' `# EOF`. By default the format is the text format, and samples without a time get the current time.
 */
export function parseExposition(text: string, options: Partial<ExpositionOptions> = {}): MetricBatch {
  checkArgument(typeof text === 'string', text, 'the text of an exposition', "parseExposition('up 1')")
  expositionOptions.check(options, '`parseExposition`')
  const { format = 'text', defaultTimeMs = Date.now() } = options
  return runToEnd(readExposition(text, { format, defaultTimeMs }))
}
