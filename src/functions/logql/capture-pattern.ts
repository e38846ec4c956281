/** A part of a pattern: literal text or a capture. The capture `_` discards its text. */
export type PatternPart = { readonly literal: string } | { readonly capture: string }

/** Parses `<ip> - <_>`. A `<` that does not begin a name is literal. */
export function readCapturePattern(pattern: string): readonly PatternPart[] {
  const parts: PatternPart[] = []
  let literal = ''
  const end = (): void => {
    if (literal !== '') parts.push({ literal })
    literal = ''
  }
  for (const [piece, name] of pattern.matchAll(/<([A-Za-z_]\w*)>|[^]/g)) {
    if (name === undefined) {
      literal += piece
      continue
    }
    end()
    parts.push({ capture: name })
  }
  end()
  return parts
}

/**
 * Returns the captures of a line by name. If a literal is not found, matching ends: the capture before it gets the
 * remaining text, and later ones are not set. A pattern that begins with a literal matches only at the start of the
 * line.
 */
export function captureLine(parts: readonly PatternPart[], line: string): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  let at = 0
  let rest = parts
  const [first] = parts
  if (first !== undefined && 'literal' in first) {
    if (!line.startsWith(first.literal)) return found
    at = first.literal.length
    rest = parts.slice(1)
  }
  for (let i = 0; i < rest.length; i += 2) {
    const part = rest[i]
    const next = rest[i + 1]
    if (part === undefined || !('capture' in part)) break
    const stop = next === undefined || !('literal' in next) ? line.length : line.indexOf(next.literal, at)
    const end = stop === -1 ? line.length : stop
    if (part.capture !== '_') found.push([part.capture, line.slice(at, end)])
    if (stop === -1 || next === undefined || !('literal' in next)) break
    at = end + next.literal.length
  }
  return found
}

/**
 * Returns whether a line matches a pattern with `<_>`. The literals must occur in order, each at its first occurrence
 * after the one before. Each capture needs at least one character, and the match must end with the line. The first
 * literal may be anywhere.
 */
export function matchesPattern(parts: readonly PatternPart[], line: string): boolean {
  if (line === '' || parts.length === 0) return line === '' && parts.length === 0
  let at = 0
  for (const [i, part] of parts.entries()) {
    if (!('literal' in part)) continue
    const found = line.indexOf(part.literal, at)
    if (found === -1 || (i > 0 && found === at)) return false
    at = found + part.literal.length
  }
  const last = parts.at(-1)
  return last !== undefined && 'literal' in last ? at === line.length : at < line.length
}
