import { distance } from 'fastest-levenshtein'

/** The known names nearest to a misspelt one, best first; none when nothing is near. */
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
      scored.push({ name: candidate, score: 1 })
      continue
    }
    if (Math.abs(other.length - wanted.length) > limit) continue
    const score = distance(wanted, other)
    if (score <= limit) scored.push({ name: candidate, score })
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
  return scored.slice(0, max).map((entry) => entry.name)
}
