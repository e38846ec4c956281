import { CommandError, PAGE_BYTES } from '../../base/index.ts'
import { isParquetName } from './parquet-name.ts'
import { CONTROL_CHARS_ONE_IN, MIN_ZERO_RUN } from './tuning.ts'

/** A kind of file without text lines, recognised by its first bytes. */
interface Kind {
  readonly what: string
  readonly mark: string
  /** The offset of the mark in bytes. */
  readonly at?: number
  /** Returns a sentence on what to do with such a file instead. */
  readonly instead?: (name: string) => string
}

const unpackWith =
  (command: string) =>
  (name: string): string =>
    `Unpack it first: ${command.replace('FILE', name)}`

const parquet = (name: string): string =>
  isParquetName(name)
    ? `As lines it can be read: sluice export '*' ${name} --output lines.ndjson`
    : 'Under a name that ends in .parquet it can be queried and imported.'

const duckdb = (name: string): string => `DuckDB reads it: duckdb -json -c "FROM '${name}'" | sluice query '*' -`

/** Known kinds of files without text lines. Their marks are Latin-1 strings. */
const kinds: readonly Kind[] = [
  { what: 'a zip archive', mark: 'PK\u0003\u0004', instead: unpackWith('unzip -p FILE | sluice query …') },
  { what: 'a 7z archive', mark: '7z\u00bc\u00af\u0027\u001c', instead: unpackWith('7z x FILE') },
  { what: 'a rar archive', mark: 'Rar!\u001a\u0007', instead: unpackWith('unrar x FILE') },
  { what: 'a tar archive', mark: 'ustar', at: 257, instead: unpackWith('tar -xf FILE') },
  { what: 'an lz4 file', mark: '\u0004"M\u0018', instead: unpackWith('lz4 -dc FILE | sluice query …') },
  {
    what: 'a file packed by compress',
    mark: '\u001f\u009d',
    instead: unpackWith('uncompress -c FILE | sluice query …'),
  },
  { what: 'a Parquet file', mark: 'PAR1', instead: parquet },
  { what: 'an Arrow file', mark: 'ARROW1', instead: duckdb },
  { what: 'an ORC file', mark: 'ORC' },
  { what: 'an Avro file', mark: 'Obj\u0001' },
  { what: 'an SQLite database', mark: 'SQLite format 3\u0000', instead: duckdb },
  {
    what: 'a systemd journal',
    mark: 'LPKSHHRH',
    instead: (name) => `Use: journalctl -o json --file ${name} | sluice query …`,
  },
  { what: 'a PNG image', mark: '\u0089PNG' },
  { what: 'a JPEG image', mark: '\u00ff\u00d8\u00ff' },
  { what: 'a GIF image', mark: 'GIF8' },
  { what: 'a PDF document', mark: '%PDF-' },
  { what: 'a program (ELF)', mark: '\u007fELF' },
  { what: 'a program (Mach-O)', mark: '\u00cf\u00fa\u00ed\u00fe' },
  { what: 'a program for Windows', mark: 'MZ\u0090\u0000' },
  { what: 'a WebAssembly module', mark: '\u0000asm' },
  { what: 'a Java class', mark: '\u00ca\u00fe\u00ba\u00be' },
  { what: 'a capture of packets', mark: '\u00d4\u00c3\u00b2\u00a1' },
  { what: 'a capture of packets', mark: '\n\r\r\n' },
]

/** The error for an input that has no lines of text. */
export class NotText extends CommandError {}

/**
 * Returns the character set that a byte order mark at the beginning names; `undefined` when there is no such mark or it
 * is that of UTF-8.
 */
export function markedCharset(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined
}

function looksBinary(head: Uint8Array): string | undefined {
  let controls = 0
  let zeros = 0
  let skipped = 0
  // Right after process start an index loop is several times faster than an iterator.
  for (let i = 0; i < head.length; i++) {
    const byte = head[i] ?? 0
    if (byte === 0) zeros++
    if ((byte !== 0 || i === head.length - 1) && zeros > 0) {
      if (zeros < MIN_ZERO_RUN) controls += zeros
      else skipped += zeros
      zeros = 0
    }
    if (byte === 0) continue
    // Tab, line feed, form feed, carriage return, backspace and escape are common in logs.
    if ((byte < 32 && (byte < 8 || byte > 13) && byte !== 27) || byte === 127) controls++
  }
  return controls * CONTROL_CHARS_ONE_IN > head.length - skipped ? 'most of it are control characters' : undefined
}

/**
 * Throws NotText when an input that begins with these bytes cannot be read as text. The error names what the input
 * looks like.
 */
export function checkText(bytes: Uint8Array, name: string): void {
  const head = bytes.subarray(0, PAGE_BYTES)
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 512)).toString('latin1')
  const kind = kinds.find(({ mark, at = 0 }) => text.startsWith(mark, at))
  if (kind !== undefined) {
    const { what, instead } = kind
    throw new NotText(`${name} is ${what}, not text.${instead === undefined ? '' : ` ${instead(name)}`}`, 1)
  }
  const reason = markedCharset(head) === undefined ? looksBinary(head) : undefined
  if (reason !== undefined) throw new NotText(`${name} is not text: ${reason}.`, 1)
}
