import { isDeepStrictEqual } from 'node:util'
import { crc32 } from 'node:zlib'
import { SluiceError } from '../../../src/base/index.ts'
import { headBytes, TAIL_BYTES, decodeContents, decodeTail, encodeTail } from '../../../src/store/segments/layout.ts'
import { unpacked } from '../../../src/store/segments/codings/packing.ts'

/** Replacements that are tried for each value; `undefined` removes the member. */
const forgeries: readonly unknown[] = [
  undefined,
  null,
  true,
  'x',
  '',
  -1,
  0,
  1,
  2,
  0.5,
  255,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  1e300,
  [],
  {},
  [null],
  { length: 1 },
]

type Path = readonly (string | number)[]

/** Yields the path of every value inside a JSON value. */
function* placesIn(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value))
    yield* placesIn(inner, [...path, Array.isArray(value) ? Number(name) : name])
}

function withValue(root: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(root)
  let at = copy as Record<string | number, unknown>
  for (const step of path.slice(0, -1)) at = at[step] as typeof at
  const last = path.at(-1) ?? ''
  if (value === undefined && !Array.isArray(at)) delete at[last]
  else at[last] = value
  return copy
}

/** Returns a block file with other contents and with correct lengths and checksums. */
function withContents(file: Buffer, contents: unknown): Buffer {
  const tail = decodeTail(file.subarray(-TAIL_BYTES))
  if (tail === undefined) throw new Error('not a file of blocks')
  const before = unpacked(file.subarray(tail.contentsAt, -TAIL_BYTES), tail.packing, tail.plainBytes)
  const json = Buffer.from(JSON.stringify(contents))
  const head = Buffer.alloc(4)
  head.writeUInt32LE(json.length)
  const changed = Buffer.concat([head, json, before.subarray(4 + before.readUInt32LE(0))])
  const lengths = { storedBytes: changed.length, plainBytes: changed.length, packing: 0 }
  const end = encodeTail({ ...tail, ...lengths, checksum: crc32(changed) }, tail.version)
  return Buffer.concat([file.subarray(0, tail.contentsAt), changed, end])
}

/** Returns the contents block of a block file as JSON. */
function contentsOf(file: Buffer): unknown {
  const tail = decodeTail(file.subarray(-TAIL_BYTES))
  if (tail === undefined || tail.contentsAt < headBytes.file) throw new Error('not a file of blocks')
  const bytes = unpacked(file.subarray(tail.contentsAt, -TAIL_BYTES), tail.packing, tail.plainBytes)
  return decodeContents(bytes, tail.contentsAt)?.contents
}

export interface ForgeryReport {
  forged: number
  refused: number
  /** Number of forgeries that leave the answers unchanged. */
  same: number
  /** Number of forgeries that change answers, by the forged path without array indexes. */
  readonly others: Map<string, number>
  /** Results that are neither an answer nor `durable/damaged`. */
  readonly faults: string[]
}

/**
 * Replaces values in the contents block of a file, one at a time and one in `oneIn` of all. Calls `read` after each and
 * counts how the results differ from the original ones.
 */
export function forge(file: Buffer, read: (file: Buffer) => unknown, oneIn: number): ForgeryReport {
  const report: ForgeryReport = { forged: 0, refused: 0, same: 0, others: new Map(), faults: [] }
  const contents = contentsOf(file)
  const expected = read(file)
  let number = 0
  for (const path of placesIn(contents)) {
    for (const value of forgeries) {
      if (number++ % oneIn !== 0) continue
      const forged = withContents(file, withValue(contents, path, value))
      report.forged++
      const name = path.map((step) => (typeof step === 'number' ? 'n' : step)).join('.')
      try {
        if (isDeepStrictEqual(read(forged), expected)) report.same++
        else report.others.set(name, (report.others.get(name) ?? 0) + 1)
      } catch (error) {
        if (error instanceof SluiceError && error.code === 'durable/damaged') report.refused++
        else report.faults.push(`${path.join('.')} = ${JSON.stringify(value)}: ${String(error)}`)
      }
    }
  }
  return report
}
