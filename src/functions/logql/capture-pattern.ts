/** A part of a pattern: literal text or a capture. The capture `_` discards its text. */
export type PatternSegment = { readonly literal: string } | { readonly capture: string }

/** Parses a pattern such as `<ip> - <_>`. A `<` that does not begin a name is literal. */
export function readCapturePattern(pattern: string): readonly PatternSegment[] {
  const segments: PatternSegment[] = []
  let literal = ''
  const end = (): void => {
    if (literal !== '') segments.push({ literal })
    literal = ''
  }
  for (const [image, name] of pattern.matchAll(/<([A-Za-z_]\w*)>|[^]/g)) {
    if (name === undefined) {
      literal += image
      continue
    }
    end()
    segments.push({ capture: name })
  }
  end()
  return segments
}

/**
 * Returns the captures of a line by name. If a literal is not found, matching ends: the capture before the literal gets
 * the rest of the line, and later captures are not set. A pattern that begins with a literal matches only at the start
 * of the line.
 */
export function captureLine(segments: readonly PatternSegment[], line: string): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  let at = 0
  let rest = segments
  const [first] = segments
  if (first !== undefined && 'literal' in first) {
    if (!line.startsWith(first.literal)) return found
    at = first.literal.length
    rest = segments.slice(1)
  }
  for (let i = 0; i < rest.length; i += 2) {
    const segment = rest[i]
    const next = rest[i + 1]
    if (segment === undefined || !('capture' in segment)) break
    const stop = next === undefined || !('literal' in next) ? line.length : line.indexOf(next.literal, at)
    const end = stop === -1 ? line.length : stop
    if (segment.capture !== '_') found.push([segment.capture, line.slice(at, end)])
    if (stop === -1 || next === undefined || !('literal' in next)) break
    at = end + next.literal.length
  }
  return found
}

/**
 * True if a line matches a pattern with `<_>`. The first literal may be anywhere; each further literal must occur after
 * the one before it, and its first such occurrence counts. Each capture needs at least one character, and the match
 * must end with the line.
 */
export function matchesPattern(segments: readonly PatternSegment[], line: string): boolean {
  if (line === '' || segments.length === 0) return line === '' && segments.length === 0
  let at = 0
  for (const [i, segment] of segments.entries()) {
    if (!('literal' in segment)) continue
    const found = line.indexOf(segment.literal, at)
    if (found === -1 || (i > 0 && found === at)) return false
    at = found + segment.literal.length
  }
  const last = segments.at(-1)
  return last !== undefined && 'literal' in last ? at === line.length : at < line.length
}
