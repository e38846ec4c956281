import { writeFileSync } from 'node:fs'

/** `UPDATE_GOLDEN=1` writes what came out into the files that say what should. */
export const isUpdatingGolden = process.env['UPDATE_GOLDEN'] === '1'

export function writeGolden(path: string, text: string): void {
  writeFileSync(path, text)
}
