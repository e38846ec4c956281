import { distance } from 'fastest-levenshtein'

/** Returns the known names most similar to a misspelt one, best first; empty if none is similar. */
export function nearestNames(name: string, known: Iterable<string>, max = 3): readonly string[] {
  const wanted = name.toLowerCase()
  const limit = Math.max(1, Math.floor(wanted.length / 3) + (wanted.length > 3 ? 1 : 0))
  const scored: { name: string; score: number }[] = []
  for (const candidate of known) {
    const other = candidate.toLowerCase()
    if (
      other.length > 0 &&
      wanted.length >= 3 &&
      (other.startsWith(wanted) || (other.length >= 3 && wanted.startsWith(other)))
    ) {
      // A name that is an abbreviation or extension is similar, but less than one with a single typing error.
      scored.push({ name: candidate, score: Math.min(1.5, distance(wanted, other)) })
      continue
    }
    if (Math.abs(other.length - wanted.length) > limit) continue
    const score = areLettersSwapped(wanted, other) ? 1 : distance(wanted, other)
    if (score <= limit) scored.push({ name: candidate, score })
  }
  // Names with another first letter rank last: the first letter is rarely mistyped.
  const isOther = (candidate: string): number => (candidate[0]?.toLowerCase() === wanted[0] ? 0 : 1)
  scored.sort((a, b) => a.score - b.score || isOther(a.name) - isOther(b.name) || (a.name < b.name ? -1 : 1))
  return scored.slice(0, max).map((entry) => entry.name)
}

/** Returns whether two adjacent letters are swapped, which counts as one mistake instead of two. */
function areLettersSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2) && i + 1 < a.length
}
