import { nearestNames } from '../base/index.ts'

/** Maximum length of a name that is compared by similarity; longer ones must be equal. */
export const MAX_COMPARED_CHARS = 128

const SHORT_FORMS: Readonly<Record<string, string>> = {
  k8s: 'kubernetes',
  ns: 'namespace',
  svc: 'service',
  msg: 'message',
  lvl: 'level',
  sev: 'severity',
  ts: 'timestamp',
  err: 'error',
  req: 'request',
  resp: 'response',
  env: 'environment',
}

/** Splits `traceId`, `trace_id` and `trace.id` into words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{Nd}]+/u)
    .filter((word) => word !== '')
    .map((word) => SHORT_FORMS[word] ?? word)
}

function isInside(some: readonly string[], all: ReadonlySet<string>): boolean {
  return some.length > 0 && some.every((word) => all.has(word))
}

/**
 * Returns the known names that an unknown one likely means, likeliest first, with their row counts: equal words with
 * other separators or case, then names that share words, then typing errors.
 */
export function nearFields(name: string, known: ReadonlyMap<string, number>, max = 3): readonly string[] {
  if (name.length > MAX_COMPARED_CHARS) return []
  const words = wordsOf(name)
  const joined = words.join('')
  const scored: { readonly name: string; readonly score: number }[] = []
  for (const each of known.keys()) {
    if (each.length > MAX_COMPARED_CHARS || each === name) continue
    const others = wordsOf(each)
    if (others.length > 0 && others.join('') === joined) scored.push({ name: each, score: 0 })
    else if (isInside(others, new Set(words)) || isInside(words, new Set(others)))
      scored.push({ name: each, score: 1 + Math.abs(others.length - words.length) / 8 })
  }
  const rowsOf = (each: string): number => known.get(each) ?? 0
  scored.sort((a, b) => a.score - b.score || rowsOf(b.name) - rowsOf(a.name) || (a.name < b.name ? -1 : 1))
  const short = [...known.keys()].filter((each) => each.length <= MAX_COMPARED_CHARS && each !== name)
  return [...new Set([...scored.map((each) => each.name), ...nearestNames(name, short, max)])].slice(0, max)
}
