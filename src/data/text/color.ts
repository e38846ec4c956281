/**
 * Terminal control sequences: ESC `[`, parameters, intermediate characters and a final character, which may be missing
 * in a truncated string.
 */
// oxlint-disable-next-line no-control-regex -- the escape character is what it looks for
const SEQUENCE = /\x1b\[[0-?]*[ -/]*[0-~]?/g

export function hasColor(text: string): boolean {
  return text.includes('\x1b[')
}

/** Returns the string without colours and other terminal control sequences. */
export function dropColor(text: string): string {
  return hasColor(text) ? text.replace(SEQUENCE, '') : text
}
