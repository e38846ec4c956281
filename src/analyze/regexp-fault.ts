import { Regex, SluiceError } from '../base/index.ts'

/** Why a pattern is not an RE2 regular expression; `undefined` when it is one. */
export function regexpFault(pattern: string): string | undefined {
  try {
    Regex.compile(pattern, { isWhole: false, dotMatchesNewline: false })
    return undefined
  } catch (error) {
    if (error instanceof SluiceError) throw error
    return error instanceof Error ? error.message : String(error)
  }
}
