export const MIB = 2 ** 20

/** Bytes of a memory page, and of a block in most file systems. */
export const PAGE_BYTES = 4096

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Formats bytes as `1.5 GiB`; less than a KiB are whole. */
export function sizeText(bytes: number): string {
  let power = 0
  let value = bytes
  for (; value >= 1024 && power < UNITS.length - 1; power++) value /= 1024
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power] ?? ''}`
}
