import { writeFileSync } from 'node:fs'

/** True if tests write their results into the golden files instead of comparing them. `UPDATE_GOLDEN=1` sets it. */
export const isUpdatingGolden = process.env['UPDATE_GOLDEN'] === '1'

export function writeGolden(path: string, text: string): void {
  writeFileSync(path, text)
}
