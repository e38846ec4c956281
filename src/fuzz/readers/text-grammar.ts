import { present, type Random } from '../../base/index.ts'

/**
 * Alternatives of each symbol; `$name` in an alternative stands for a symbol. The first alternatives never recurse, so
 * drawing ends. An alternative that begins with `?` is drawn rarely, since the other parser does not know the form and
 * the text cannot be compared.
 */
export type TextGrammar = Readonly<Record<string, readonly string[]>>

/** When symbols are nested deeper than this, the first alternative is always taken, so that the text ends. */
const MAX_DEPTH = 9

/** Probability with which a drawn rare alternative is kept. */
const RARE_SHARE = 0.05

/** Draws a text derived from a symbol. */
export function drawText(grammar: TextGrammar, symbol: string, random: Random, depth = 0): string {
  const alternatives = present(grammar[symbol], symbol)
  const drawn = depth > MAX_DEPTH ? present(alternatives[0]) : random.pick(alternatives)
  const isTooRare = drawn.startsWith('?') && random.next() >= RARE_SHARE
  const text = (isTooRare ? present(alternatives[0]) : drawn).replace(/^\?/, '')
  return text.replaceAll(/\$([a-zA-Z]+)/g, (_, name: string) => drawText(grammar, name, random, depth + 1))
}

const PIECES = /[A-Za-z_][\w]*|[0-9.]+[a-zA-Zµ]*|"[^"]*"|`[^`]*`|\s+|[=!<>&|~]+|[^]/g

/** Removes, doubles, swaps or inserts a token of a text. The result is mostly invalid, sometimes valid. */
export function damageText(text: string, tokens: readonly string[], random: Random): string {
  const pieces = text.match(PIECES) ?? []
  const at = random.below(pieces.length)
  const kind = random.below(4)
  if (kind === 0) return pieces.toSpliced(at, 1).join('')
  if (kind === 1) return pieces.toSpliced(at, 0, pieces[at] ?? '').join('')
  if (kind === 2) return pieces.toSpliced(at, 0, random.pick(tokens)).join('')
  return pieces.toSpliced(at, 2, pieces[at + 1] ?? '', pieces[at] ?? '').join('')
}
