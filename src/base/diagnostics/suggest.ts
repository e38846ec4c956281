import { distance } from 'fastest-levenshtein'

/** Returns the known names nearest to a misspelt one, best first; none when nothing is near. */
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
      // A shortened or lengthened name is near, but a single typing mistake is nearer.
      scored.push({ name: candidate, score: Math.min(1.5, distance(wanted, other)) })
      continue
    }
    if (Math.abs(other.length - wanted.length) > limit) continue
    const score = areLettersSwapped(wanted, other) ? 1 : distance(wanted, other)
    if (score <= limit) scored.push({ name: candidate, score })
  }
  // The first letter is rarely wrong.
  const isOther = (candidate: string): number => (candidate[0]?.toLowerCase() === wanted[0] ? 0 : 1)
  scored.sort((a, b) => a.score - b.score || isOther(a.name) - isOther(b.name) || (a.name < b.name ? -1 : 1))
  return scored.slice(0, max).map((entry) => entry.name)
}

/** Whether two adjacent letters were swapped, which is one mistake and not two. */
function areLettersSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2) && i + 1 < a.length
}
