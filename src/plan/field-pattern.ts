/**
 * Field names by pattern: literal parts with "any text" between. One part is a plain name; `['kube.', '']` is `kube.*`,
 * `['', '']` is every field.
 */
export interface FieldPattern {
  readonly parts: readonly string[]
}

export function fieldPattern(...parts: readonly string[]): FieldPattern {
  return { parts }
}

/** The plain name, when the pattern has no star. */
export function plainName(pattern: FieldPattern): string | undefined {
  return pattern.parts.length === 1 ? pattern.parts[0] : undefined
}

export function matchesField(pattern: FieldPattern, name: string): boolean {
  const { parts } = pattern
  const last = parts.length - 1
  if (last === 0) return name === parts[0]
  if (!name.startsWith(parts[0]) || !name.endsWith(parts[last])) return false
  let from = parts[0].length
  const end = name.length - parts[last].length
  for (let i = 1; i < last; i++) {
    const found = name.indexOf(parts[i], from)
    if (found === -1 || found + parts[i].length > end) return false
    from = found + parts[i].length
  }
  return from <= end
}

export function printFieldPattern(pattern: FieldPattern): string {
  return pattern.parts.join('*')
}
