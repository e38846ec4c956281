import { Bytes } from '../../../base/index.ts'
import { fold, isWordCodePoint, type ValueTest } from '../../../data/index.ts'
import type { Needle } from '../kernels/literal-scan.ts'

/** A literal that every passing string contains. If `isDecisive`, every string that contains the literal passes. */
export interface TestNeedle {
  readonly needle: Needle
  readonly isDecisive: boolean
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x80) return false
  return true
}

function isWordUnit(text: string, index: number): boolean {
  return isWordCodePoint(text.charCodeAt(index))
}

/** Makes the needle for a literal. `edges` says whether a match must begin and end at word boundaries. */
function needleOf(
  text: string,
  isFolded: boolean,
  edges: { readonly start: boolean; readonly end: boolean },
  isDecisive: boolean,
): TestNeedle | undefined {
  if (text === '' || !isAscii(text)) return undefined
  const needle = {
    bytes: Bytes.from(text, 'latin1'),
    isFolded,
    wordStart: edges.start && isWordUnit(text, 0),
    wordEnd: edges.end && isWordUnit(text, text.length - 1),
  }
  return { needle, isDecisive }
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), '')
}

const OPEN = { start: false, end: false }
const WORDS = { start: true, end: true }

/** Returns the literal to search for in ASCII strings; `undefined` if passing strings need not contain a literal. */
export function needleOfTest(test: ValueTest): TestNeedle | undefined {
  if (!('isFolded' in test)) return undefined
  const { isFolded } = test
  const folded = (text: string): string => (isFolded ? fold(text) : text)
  switch (test.kind) {
    case 'contains':
      return needleOf(folded(test.text), isFolded, OPEN, true)
    case 'phrase':
      return needleOf(folded(test.text), isFolded, WORDS, true)
    case 'phrase-prefix':
      return needleOf(folded(test.text), isFolded, { start: true, end: false }, true)
    case 'glob':
      return needleOf(longest(test.parts.map(folded)), isFolded, OPEN, false)
    case 'sequence':
    case 'contains-all':
      return needleOf(longest(test.phrases.map(folded)), isFolded, WORDS, false)
    default:
      return undefined
  }
}
