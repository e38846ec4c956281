/**
 * A pattern of field names: literal parts, between which any text may occur. One part is a plain name; `['kube.', '']`
 * is `kube.*`; `['', '']` matches every name.
 */
export interface FieldPattern {
  readonly parts: readonly string[]
}

export function fieldPattern(...parts: readonly string[]): FieldPattern {
  return { parts }
}

/** Returns the plain name if the pattern has no star; else `undefined`. */
export function plainName(pattern: FieldPattern): string | undefined {
  return pattern.parts.length === 1 ? pattern.parts[0] : undefined
}

export function matchesField(pattern: FieldPattern, name: string): boolean {
  const { parts } = pattern
  const last = parts.length - 1
  const prefix = parts[0] ?? ''
  if (last === 0) return name === prefix
  const suffix = parts[last] ?? ''
  if (!name.startsWith(prefix) || !name.endsWith(suffix)) return false
  let from = prefix.length
  const end = name.length - suffix.length
  for (let i = 1; i < last; i++) {
    const part = parts[i] ?? ''
    const found = name.indexOf(part, from)
    if (found === -1 || found + part.length > end) return false
    from = found + part.length
  }
  return from <= end
}

export function printFieldPattern(pattern: FieldPattern): string {
  return pattern.parts.join('*')
}
