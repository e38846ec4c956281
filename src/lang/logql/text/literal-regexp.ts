/** Part of a pattern: a literal, a wildcard, or a group with its alternatives. */
interface LiteralSegment {
  readonly kind: 'literal' | 'any' | 'group'
  readonly alternatives: readonly string[]
}

const PART = /\.\*|\(\?:([^()]*)\)|\(([^?()][^()]*|)\)|((?:[^\\.*+?()[\]{}^$|]|\\[^A-Za-z0-9])+)(?![*+?{])/y

/**
 * Splits one alternative of a pattern into literals, wildcards and groups; `undefined` if it contains anything else.
 */
function segmentsOf(pattern: string): readonly LiteralSegment[] | undefined {
  const segments: LiteralSegment[] = []
  PART.lastIndex = 0
  while (PART.lastIndex < pattern.length) {
    const match = PART.exec(pattern)
    if (match === null) return undefined
    const inner = match[1] ?? match[2]
    if (inner !== undefined) segments.push({ kind: 'group', alternatives: inner.split('|') })
    else segments.push({ kind: match[0] === '.*' ? 'any' : 'literal', alternatives: [match[0]] })
  }
  return segments
}

/**
 * True if Loki evaluates a regular expression by comparing literals. Each alternative then has at most one literal with
 * wildcards around it, or is a literal followed by a group. Loki prints such expressions in double quotes and all
 * others in back quotes.
 */
export function isMadeOfLiterals(pattern: string): boolean {
  const plain = pattern.replace(/^\(\?i\)/, '')
  if (plain === '.+') return true
  const alternatives = topLevel(plain)
  if (mergesToClass(alternatives.map(unitsOf))) return false
  return alternatives.every((text) => {
    const segments = segmentsOf(text)
    if (segments === undefined || segments.length > 3) return false
    const only = segments.length === 1 ? segments[0] : undefined
    if (only?.kind === 'group') return isMadeOfLiterals(only.alternatives.join('|'))
    const literals = segments.filter(({ kind }) => kind === 'literal').length
    const hasGroup = segments.some(({ kind }) => kind === 'group')
    return literals <= 1 && (!hasGroup || segments[0]?.kind === 'literal')
  })
}

/** Splits one alternative of a pattern into characters, escapes and wildcards. */
function unitsOf(pattern: string): readonly string[] {
  return pattern.match(/\\[^]|\.\*|[^]/gu) ?? []
}

/**
 * True if Go's regular expression parser merges alternatives to a character class: adjacent alternatives of one
 * character each, also after a common prefix, as in `500|503`. Loki does not compare literals for such expressions.
 */
function mergesToClass(alternatives: readonly (readonly string[])[]): boolean {
  let singles = 0
  for (let i = 0; i < alternatives.length;) {
    const first = alternatives[i] ?? []
    const [start = ''] = first
    const other = alternatives.findIndex((units, at) => at > i && (start === '' || units[0] !== start))
    const end = other === -1 ? alternatives.length : other
    const group = alternatives.slice(i, end)
    const isSingle = group.length === 1 && first.length === 1
    singles = isSingle ? singles + 1 : 0
    if (singles > 1) return true
    if (group.length > 1) {
      let shared = 1
      while (shared < first.length && group.every((units) => units[shared] === first[shared])) shared++
      if (mergesToClass(group.map((units) => units.slice(shared)))) return true
    }
    i = end
  }
  return false
}

/** Splits a pattern at the bars outside parentheses. */
function topLevel(pattern: string): readonly string[] {
  const alternatives = ['']
  let depth = 0
  for (const [part] of pattern.matchAll(/\\[^]|[^]/g)) {
    if (part === '(') depth++
    if (part === ')') depth--
    if (part === '|' && depth === 0) alternatives.push('')
    else alternatives.push(`${alternatives.pop() ?? ''}${part}`)
  }
  return alternatives
}
