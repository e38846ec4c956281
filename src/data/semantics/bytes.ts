import { MAX_INT64 } from '../../base/index.ts'
import { integer } from '../value.ts'

const FACTORS: ReadonlyMap<string, number> = new Map(
  ['K', 'M', 'G', 'T'].flatMap((letter, i) => [
    [letter, 1000 ** (i + 1)],
    [`${letter}B`, 1000 ** (i + 1)],
    [`${letter}i`, 1024 ** (i + 1)],
    [`${letter}iB`, 1024 ** (i + 1)],
  ]),
)

const PART = /(\d+(?:_\d+)*)(?:\.(\d+(?:_\d+)*))?([KMGT](?:iB|i|B)?|B)?/y

/**
 * Parses a size in bytes: `1.5KiB`, `10MB`, `1MiB500KiB`. K, M, G, T (with or without B) are powers of 1000; Ki … Ti
 * are powers of 1024. A part without a suffix is an integer number of bytes. The result is limited to int64.
 * `undefined` for other strings.
 */
export function parseBytes(text: string): number | bigint | undefined {
  const isNegative = text.charCodeAt(0) === 45
  const start = isNegative ? 1 : 0
  const first = text.charCodeAt(start)
  if (!(first >= 48 && first <= 57) || text.length > 200) return undefined
  let total = 0n
  PART.lastIndex = start
  while (PART.lastIndex < text.length) {
    const part = PART.exec(text)
    if (part === null) return undefined
    const [, whole, fraction, suffix] = part
    if (suffix === undefined && (fraction !== undefined || part[0].length < text.length - start)) return undefined
    const factor = BigInt(suffix === undefined || suffix === 'B' ? 1 : (FACTORS.get(suffix) ?? 1))
    total += BigInt((whole ?? '').replaceAll('_', '')) * factor
    if (fraction !== undefined) {
      const digits = fraction.replaceAll('_', '')
      total += (BigInt(digits) * factor) / 10n ** BigInt(digits.length)
    }
  }
  if (total > MAX_INT64) total = MAX_INT64
  return integer(isNegative ? -total : total)
}
