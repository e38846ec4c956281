import { dropColor } from '../data/index.ts'
import { separatorOf, tableQuirks, tableSeparator, type Separator, type TableQuirks } from './csv.ts'
import { beginsJsonDocument } from './json-documents.ts'
import { jsonLines } from './json-lines.ts'
import type { LineFormat } from './line-format.ts'
import { logfmt } from './logfmt.ts'
import { isDockerLine } from './text/index.ts'
import { FORMAT_SAMPLE_LINES } from './tuning.ts'

/** The beginning of the output of `journalctl -o export`. */
const JOURNAL = /^\n?__(?:CURSOR|REALTIME_TIMESTAMP)=/

/** The format names that users may give; `auto` detects the format from the beginning of the input. */
export const formatNames = ['auto', 'json', 'csv', 'tsv', 'logfmt', 'text'] as const
export type FormatName = (typeof formatNames)[number]

/** The format of an input, which determines its reader. */
export type InputFormat =
  | { readonly kind: 'json-lines' }
  | { readonly kind: 'json-documents' }
  | { readonly kind: 'journal' }
  | { readonly kind: 'table'; readonly separator: Separator; readonly quirks: TableQuirks }
  | { readonly kind: 'lines'; readonly format: LineFormat }

/** Returns the lines from which the format of a text is detected. */
export function sampleLines(text: string): readonly string[] {
  return dropColor(text)
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '')
    .split('\n', FORMAT_SAMPLE_LINES * 2)
    .filter((line) => line.trim() !== '')
    .slice(0, FORMAT_SAMPLE_LINES)
}

/**
 * Returns the format of an input that begins with this text; `undefined` if more text is needed. `isWhole` is true if
 * the text is the whole input.
 */
export function inputFormat(
  name: FormatName,
  text: string,
  isWhole: boolean,
  plain: LineFormat,
): InputFormat | undefined {
  if (name === 'csv') return tableFormat(text, separatorOf(text))
  if (name === 'tsv') return tableFormat(text, '\t')
  if (name === 'logfmt') return { kind: 'lines', format: logfmt }
  if (name === 'text') return { kind: 'lines', format: plain }
  const isDocument = beginsJsonDocument(text, isWhole)
  if (isDocument === undefined) return undefined
  if (isDocument) return { kind: 'json-documents' }
  if (name === 'json') return { kind: 'json-lines' }
  if (JOURNAL.test(text)) return { kind: 'journal' }
  const sample = sampleLines(text)
  // The lines of containers are joined like the lines of plain text.
  if (sample.length > 0 && sample.every(isDockerLine)) return { kind: 'lines', format: plain }
  const format = detectFormat(sample, [jsonLines, logfmt, plain])
  if (format === jsonLines) {
    const records = sample.filter((line) => jsonLines.resembles(line) > 0).length
    // If only some lines are JSON, the format is detected for each line.
    return records * 2 < sample.length ? { kind: 'lines', format: plain } : { kind: 'json-lines' }
  }
  const separator = format === plain ? tableSeparator(text, isWhole) : undefined
  return separator === undefined ? { kind: 'lines', format } : tableFormat(text, separator)
}

/** Returns the format that fits the sample lines best; the last format of the list if none fits. */
export function detectFormat(lines: readonly string[], formats: readonly [LineFormat, ...LineFormat[]]): LineFormat {
  let best = formats.at(-1) ?? formats[0]
  let bestScore = 0
  for (const format of formats) {
    const score = lines.reduce((sum, line) => sum + format.resembles(line), 0) / Math.max(1, lines.length)
    if (score > bestScore) {
      best = format
      bestScore = score
    }
  }
  return best
}

function tableFormat(text: string, separator: Separator): InputFormat {
  return { kind: 'table', separator, quirks: tableQuirks(text, separator) }
}

/** Returns the format that a file name implies. The extension of a compression is ignored. */
export function formatOfName(path: string): FormatName {
  const ending = /\.(csv|tsv|tab)(?:\.(?:gz|gzip|zst|zstd|br|bz2|xz))?$/i.exec(path)?.[1]?.toLowerCase()
  return ending === undefined ? 'auto' : ending === 'csv' ? 'csv' : 'tsv'
}
