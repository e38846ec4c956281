import {
  emptyReport,
  formatOfName,
  openFormat,
  recordChunks,
  recordFormat,
  type IngestReport,
} from '../../../ingest/index.ts'
import { MS_NS, runCooperatively } from '../../../base/index.ts'
import type { MemoryTable } from '../../../store/index.ts'

/** Magic numbers of gzip and Zstandard files. */
const GZIP = [0x1f, 0x8b]
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd]

function beginsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => head[i] === byte)
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield chunk
}

/** Returns the decompressed bytes of a file. Rejects for a compression that the browser does not support. */
async function unpacked(file: File): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const head = new Uint8Array(await file.slice(0, ZSTD.length).arrayBuffer())
  const packing = beginsWith(head, GZIP) ? 'gzip' : beginsWith(head, ZSTD) ? 'zstd' : undefined
  if (packing === undefined) return file.stream()
  try {
    return file.stream().pipeThrough(new DecompressionStream(packing as CompressionFormat))
  } catch {
    throw new Error(`${file.name} is packed by ${packing}, which this browser cannot unpack. Unpack it first.`)
  }
}

function countTaken(report: IngestReport, reader: { take(): Parameters<IngestReport['addAll']>[0] & Taken }): void {
  const taken = reader.take()
  report.lines += taken.lines
  report.records += taken.rows
  report.badLines += taken.badLines
  report.addAll(taken)
}

interface Taken {
  readonly lines: number
  readonly rows: number
  readonly badLines: number
}

/**
 * Appends the records of a file to a table, and awaits `onChunk` after each chunk. Rejects if the file cannot be read.
 */
export async function readFile(
  file: File,
  table: MemoryTable,
  nowNs: bigint,
  onChunk: (report: IngestReport) => Promise<void>,
): Promise<IngestReport> {
  const report = emptyReport()
  const context = { nowNs, modifiedNs: BigInt(file.lastModified) * MS_NS }
  const format = formatOfName(file.name)
  const opened = await openFormat(chunksOf(await unpacked(file)), format, context)
  const reader = table.writer.reader(recordFormat(opened.format, format, undefined), context)
  try {
    for await (const chunk of recordChunks(opened, report)) {
      table.sealer.sealingLater(() => reader.append(chunk, { ...context, firstLine: report.lines + 1 }))
      countTaken(report, reader)
      // Sealing yields after each short step, so that requests of the page are answered meanwhile.
      await runCooperatively(table.sealer.sealFull())
      await onChunk(report)
    }
  } finally {
    reader.flush()
    countTaken(report, reader)
  }
  return report
}
