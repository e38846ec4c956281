import { CommandError } from '../../base/index.ts'

const UNITS: ReadonlyMap<string, number> = new Map([
  ['K', 1024],
  ['M', 1024 ** 2],
  ['G', 1024 ** 3],
  ['T', 1024 ** 4],
])

/** Parses `512MiB`, `2GiB`, also without `iB`, to bytes. */
export function parseSize(text: string, option: string, least: string): number {
  const bytes = sizeOf(text)
  if (bytes === undefined || bytes < (sizeOf(least) ?? 0))
    throw new CommandError(`${option} needs a size of ${least} or more, such as 1GiB, not \`${text}\`.`)
  return bytes
}

function sizeOf(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d+)\s*([KMGT])(?:i?B)?$/i.exec(text.trim()) ?? []
  return digits === '' ? undefined : Number(digits) * (UNITS.get(unit.toUpperCase()) ?? 1)
}
