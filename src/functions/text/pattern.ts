import { readQuoted, type PatternStep } from '../../data/index.ts'

/**
 * Returns the text of each named placeholder, in order. The text of a placeholder extends from the literal before it to
 * the literal after it; the first literal may be anywhere. A quoted string is one text, without its quotes, unless the
 * option is `plain`. Placeholders without a match are `''`.
 */
export function applyPattern(steps: readonly PatternStep[], text: string): readonly string[] {
  const values = steps.filter((step) => step.field !== undefined && step.field !== '').map(() => '')
  const first = steps[0]?.prefix ?? ''
  const found = text.indexOf(first)
  if (found === -1) return values
  let at = found + first.length
  let next = 0
  for (const [i, step] of steps.entries()) {
    if (step.field === undefined) return values
    const following = steps[i + 1]?.prefix ?? ''
    const quoted = step.option === 'plain' ? undefined : readQuoted(text, at)
    let value: string
    if (quoted === undefined) {
      const end = following === '' ? text.length : text.indexOf(following, at)
      if (end === -1) return values
      value = text.slice(at, end)
      at = end + following.length
    } else {
      if (!text.startsWith(following, quoted.end)) {
        if (step.field !== '') values[next] = quoted.value
        return values
      }
      value = quoted.value
      at = quoted.end + following.length
    }
    if (step.field !== '') values[next++] = value
  }
  return values
}
