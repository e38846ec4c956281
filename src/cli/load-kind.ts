import { runToEnd, CommandError } from '../base/index.ts'
import { emptyReport, type IngestReport } from '../ingest/index.ts'
import { decoderFor, jsonFormatOf, jsonTables, type IngestTarget } from '../server/index.ts'
import { inputBytes, loadFiles, openInput, type LoadOptions } from '../sources/files/index.ts'

export type DataKind = (typeof jsonTables)[number]

/** Maximum size of a JSON document, which is read into memory, bytes. Larger files must be JSON lines. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024

/** Returns the kind of data with a name; `traces` means spans. */
export function dataKind(word: string): DataKind | undefined {
  const name = word === 'traces' ? 'spans' : word
  return jsonTables.find((table) => table === name)
}

/** Parses `events=file`, or the name of a file with logs. */
export function parseLoad(entry: string): { readonly kind: DataKind; readonly path: string } {
  const at = entry.indexOf('=')
  const kind = at === -1 ? undefined : dataKind(entry.slice(0, at))
  return kind === undefined ? { kind: 'logs', path: entry } : { kind, path: entry.slice(at + 1) }
}

/** Reads a file or standard input; `undefined` if it is larger than `limitBytes`. */
export async function readWhole(path: string, limitBytes: number): Promise<Buffer | undefined> {
  const size = inputBytes(path)
  if (size !== undefined && size > limitBytes) return undefined
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of openInput(path)) {
    total += chunk.length
    if (total > limitBytes) {
      if (size === undefined) throw new CommandError(`Standard input holds more than ${limitBytes} bytes.`)
      return undefined
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads a file of one kind into a tenant: JSON lines, JSON documents and Kubernetes events; logs also as text. */
export async function loadKind(
  kind: DataKind,
  path: string,
  target: IngestTarget,
  options: LoadOptions,
): Promise<IngestReport> {
  const table = target.store.table(kind)
  if (kind === 'logs') return loadFiles([path], table, options)
  const bytes = await readWhole(path, MAX_DOCUMENT_BYTES)
  if (bytes === undefined) return loadFiles([path], table, { ...options, format: 'json' })
  const report = runToEnd(
    runToEnd(decoderFor(kind, runToEnd(jsonFormatOf(kind, bytes))).decode(bytes, options.nowNs, options.options)).apply(
      target,
    ),
  )
  const { accepted, rejected, errors } = report
  const loaded = Object.assign(emptyReport(), {
    lines: accepted + rejected,
    records: accepted,
    badLines: rejected,
    bytes: bytes.length,
    examples: errors.map(({ line, reason, excerpt = '' }) => ({ lineNumber: line, reason, excerpt })),
  })
  loaded.addAll(report)
  return loaded
}
